// In which prompts a message of the user stood, in one short line: the same on pages and on the command line. Pure.

import type { Run } from "../api.ts";
import { counted } from "../figures.ts";
import { laneWords } from "./lane.ts";

type Message = Pick<Run["messages"][number], "prompts" | "taken_up_in">;

/** `isOver`: the run will hear nothing more. */
export function receiptWords({ prompts, taken_up_in: takenUpIn }: Message, isOver: boolean): string {
  if (prompts !== null) {
    const { calls, first } = prompts;
    return `In ${counted(calls, "prompt")}, from iteration ${first.iteration} (${laneWords(first.lane)})`;
  }
  if (takenUpIn !== null) return `Taken up in iteration ${takenUpIn}`;
  return isOver ? "Not taken up" : "Pending";
}
