import { expect, test } from "vitest";
import { agentRunWord } from "./agent-task.ts";

const stop = { by: "user", reason: "enough", at: "2030-03-17T17:36:40Z" };

test.each([
  [{ status: "running", exit_code: null, stop_requested: stop }, "Running"],
  [{ status: "completed", exit_code: 0, stop_requested: null }, "Completed"],
  [{ status: "failed", exit_code: 3, stop_requested: null }, "Failed (3)"],
  [{ status: "failed", exit_code: -1, stop_requested: null }, "Failed"],
  [{ status: "failed", exit_code: 143, stop_requested: stop }, "Stopped"],
  [{ status: "unknown", exit_code: null, stop_requested: null }, "Unknown"],
] as const)("%j is told as %s", (run, word) => expect(agentRunWord(run)).toBe(word));
