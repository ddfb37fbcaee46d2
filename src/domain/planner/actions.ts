// What a session did, as the set by which repetition is told. A delegated task knows its step, so that "write the next chapter" for
// another step is another action. Long texts are told by their beginning and length: the set is kept beside the run.

import type { Action } from "../run/fingerprint.ts";
import { shortenDeep } from "./clip.ts";

export type SessionAction = { readonly tool: string; readonly args: unknown; readonly stepId: string | null };

const textMax = 120;

export const toActions = (done: readonly SessionAction[]): readonly Action[] =>
  done.map(({ tool, args, stepId }) => ({ tool, args: shortenDeep(args, textMax), stepId }));
