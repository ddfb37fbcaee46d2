// How whole sessions are scripted: turn by turn, on every protocol in the same words. Only tests import it.

import type { LabReply, LabRequest, LabResult, LabToolCall } from "./lab-protocol.ts";

/** What is said in one turn, or how it follows from the request. */
export type LabStep = LabReply | ((request: LabRequest) => LabReply);

/** How many answers this conversation has had. */
const countAnswers = ({ turns }: LabRequest): number => turns.filter(({ role }) => role === "assistant").length;

/** What came back of the calls just made. */
export const readResults = ({ turns }: LabRequest): readonly LabResult[] =>
  turns.findLast(({ role }) => role !== "user")?.results ?? [];

export const callTool = (name: string, args: unknown = {}): LabToolCall => ({ name, args });

/** The nth answer of a conversation is the nth step, so a repeated request is answered as before. */
export function playTurns(...steps: readonly LabStep[]): (request: LabRequest) => LabReply {
  return (request) => {
    const at = countAnswers(request);
    const step = steps[at];
    if (step === undefined) return { status: 500, body: `lab: the script has ${steps.length} steps, not ${at + 1}` };
    return typeof step === "function" ? step(request) : step;
  };
}
