// What a session did, as the set by which repetition is told. Reading and the session's own tools are no actions; a delegated
// task knows its step, so that "write the next chapter" for another step is another action.

import type { Action } from "../run/fingerprint.ts";

export type SessionAction = { readonly tool: string; readonly args: unknown; readonly stepId: string | null };

export const toActions = (done: readonly SessionAction[]): readonly Action[] =>
  done.map(({ tool, args, stepId }) => ({ tool, args: stepId === null ? args : { stepId, args } }));
