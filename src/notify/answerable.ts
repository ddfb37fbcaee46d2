// Things that ask their user something and can be answered through a channel. A notification names its thing as `kind:id`. Each
// kind of thing that asks has its answerable here, and its questions into the notification's data
// (src/domain/channel/asked.ts).

import type { Tx } from "../db/database.ts";
import type { GivenAnswer } from "../domain/channel/asked.ts";
import type { UserId } from "../domain/identity/identity.ts";

export type AnswerOutcome =
  | { readonly kind: "taken" }
  /** It asks nothing any more: someone answered before, or it has ended. */
  | { readonly kind: "closed" }
  /** In words that its user can act on. */
  | { readonly kind: "refused"; readonly why: string };

export type Answerable = {
  /** As the platform: whether the thing waits for an answer of this user. */
  readonly isOpen: (tx: Tx, id: string, by: UserId) => Promise<boolean>;
  /** As the platform, by the same rules as an answer on the thing's own page. */
  readonly answer: (tx: Tx, id: string, answers: readonly GivenAnswer[], by: UserId) => Promise<AnswerOutcome>;
};

/** By the kind of thing. */
export type Answerables = Readonly<Record<string, Answerable>>;

/** Null: things of this kind ask nothing. */
export function findAnswerable(answerables: Answerables, about: string): { of: Answerable; id: string } | null {
  const at = about.indexOf(":");
  const kind = about.slice(0, at);
  const of = Object.hasOwn(answerables, kind) ? answerables[kind] : undefined;
  return of === undefined ? null : { of, id: about.slice(at + 1) };
}
