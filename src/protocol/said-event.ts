// What the events of a run say, for views and lines for people. One of a kind that this version does not know is null.

import { runEvent, runEventKinds, type RunEvent as SaidEvent } from "../domain/run/events.ts";
import type { RunEvent } from "./api.ts";

export type { SaidEvent };
export type Said<Type extends SaidEvent["type"]> = Extract<SaidEvent, { readonly type: Type }>;

/** Every kind there is, in the order in which a run meets them. */
export const eventKinds: readonly SaidEvent["type"][] = runEventKinds;

export function parseEvent({ event }: Pick<RunEvent, "event">): SaidEvent | null {
  const parsed = runEvent.safeParse(event);
  return parsed.success ? parsed.data : null;
}
