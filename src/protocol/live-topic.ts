// What one stream of a tab can follow. Apart from its route, so that pages can say it without loading schemas.

/** The user's own feed, a run, a project, a conversation, an outcome. `feed` alone has no id. */
export type LiveTopic = "feed" | `${"run" | "project" | "chat" | "outcome"}:${string}`;

/** Topics at once in one stream. */
export const liveTopicsMax = 8;
