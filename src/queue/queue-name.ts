// Our one queue, as migration 0006 makes it.

export const queueName = "buildos_homework";
