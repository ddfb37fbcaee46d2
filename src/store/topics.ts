// What live streams are about, by name; also the payloads by which listeners are told that there is something new.

/** Where the hints about them are sent. */
export const changesChannel = "homework_changes";

export const runTopic = (runId: string) => `run:${runId}`;
export const userTopic = (userId: string) => `user:${userId}`;
export const chatTopic = (chatId: string) => `chat:${chatId}`;
