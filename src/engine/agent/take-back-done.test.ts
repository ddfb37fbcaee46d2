import { afterEach, expect, test } from "vitest";
import { makeRoot, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { doneCheck } from "../../domain/agent/done-check.ts";
import { openBus } from "../../runner/bus/bus.ts";
import { readBus } from "../../runner/bus/read-bus.ts";
import { isDone, writeDone } from "../../runner/layout/task-files.ts";
import { takeBackDone } from "./take-back-done.ts";

afterEach(removeFolders);

const run = {
  checks: [doneCheck, { ...doneCheck, id: "tests", target: { kind: "command_succeeds", program: "sh", args: [] } }],
  lastProofs: [{ checkId: "tests", isGreen: false, seen: "sh ended with exit code 1.", artifacts: [], iteration: 1 }],
  guidance: { next: "mend_what_failed", why: "The agent says it is done, but sh ended" },
} as const;

test("a DONE that was not accepted is removed, and the bus says why", async () => {
  const root = makeRoot();
  const task = makeTask(root);
  const messages = () => readBus(openBus(root, task)).entries.map(({ type, body }) => [type, body]);
  expect([await takeBackDone(root, task, run), messages()]).toEqual([false, []]);
  writeDone(root, task);
  expect([await takeBackDone(root, task, run), isDone(root, task), messages()]).toEqual([
    true,
    false,
    [["WARNING", "DONE was not accepted and is removed:\nsh ended with exit code 1."]],
  ]);
});
