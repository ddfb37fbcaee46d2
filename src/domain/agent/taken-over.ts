// How the journal tells that another attempt of an iteration found its agent at work and waits for it from now on.

/** Before the key of the agent's own entry. */
export const takenOverKey = "taken-over:";
