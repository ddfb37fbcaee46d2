// What a user is told of: something that has ended, or that needs them. Any part may write one, in the transaction of what it
// tells of (`tellUser` in src/store/notification/notification-store.ts). None is written for what the user did.

import type { UserId } from "./identity/identity.ts";
import { notifiedStatuses } from "./run/effects.ts";

/** What a user can choose to be told of. */
export const notifiedEvents = [...notifiedStatuses, "escalation", "outcome_achieved", "outcome_stopped"] as const;

export type Notification = {
  readonly userId: UserId;
  /** The thing it is about, as `kind:id`. A user has one notification about a thing: another one takes its place, unread. */
  readonly about: string;
  /** What happened to it; users choose by this what they are told of. */
  readonly event: string;
  readonly title: string;
  readonly message: string;
  /** A path of ours. Visiting that page, or one below it, reads the notification. */
  readonly actionUrl: string;
  /** JSON, for programs. */
  readonly data: Readonly<Record<string, unknown>>;
};
