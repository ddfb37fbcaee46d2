// What a user's feed tells of: everything that lists and the bell have to know.

export const feedTypes = ["run_changed", "outcome_changed", "notification_created", "notification_read"] as const;
export type FeedType = (typeof feedTypes)[number];
