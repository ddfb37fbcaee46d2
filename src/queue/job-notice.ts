// What workers are told over NOTIFY: that there is work of a kind, or which job of a kind has to be let go of.

import { isJobKind, type JobKind } from "./job-kinds.ts";

export const jobsChannel = "homework_jobs";

export type JobNotice = { readonly kind: JobKind; readonly dropped: string | null };

export const writeNotice = ({ kind, dropped }: JobNotice): string => (dropped === null ? kind : `${kind} ${dropped}`);

/** Null: a kind that another version of the program has. */
export function readNotice(payload: string): JobNotice | null {
  const [kind = "", dropped = null] = payload.split(" ", 2);
  return isJobKind(kind) ? { kind, dropped } : null;
}
