// Questions of agents in the restart loop: only what a person says after a question starts the agent again.

import { afterEach, expect, test } from "vitest";
import { until } from "../../../test/agents/job-world.ts";
import { endOf, makeTaskWorld, type TaskWorld, writeDoneScript } from "../../../test/agents/task-world.ts";
import { removeFolders } from "../../../test/helpers/runner-root.ts";
import type { NewMessage } from "../bus/bus.ts";
import { openBus } from "../bus/bus.ts";

afterEach(removeFolders);

const otherRun = "20261116-1500000000-1";
const isWaiting = ({ said }: TaskWorld) => said.some((text) => text.includes("Waiting for an answer to: Which tap?"));

/** An agent that asks, and once it was started again writes DONE. */
async function startAsking() {
  const script = `[ -e asked ] && ${writeDoneScript}; touch asked; until [ -e posted ]; do sleep 0.05; done`;
  const world = makeTaskWorld(script);
  await world.create();
  const driven = world.drive();
  await until("the root runs", () => world.infos()[0]?.status === "running");
  const runId = world.runs()[0]?.runId ?? "";
  const post = (message: Omit<NewMessage, "body">, body: string) =>
    openBus(world.root, world.task).post({ ...message, body });
  const asked = await post({ type: "QUESTION", run_id: runId }, "Which tap?");
  return { world, driven, runId, post, parents: [asked.msg_id] };
}

test("a question waits for its answer, and the next start has both", async () => {
  const { world, driven, parents } = await startAsking();
  world.write("posted", "");
  await until("it waits", () => isWaiting(world));
  expect(world.runs()).toHaveLength(1);
  await world.post("ANSWER", "The left one", parents);
  expect(endOf(await driven)).toBe("completed");
  expect(world.runs()).toHaveLength(2);
  expect(world.prompts()[1]).toMatch(
    /to this question:\n<<<untrusted .*\nWhich tap\?\n<<<end .*\nThe user answered:\n> The left one/,
  );
});

test("a remark of the agent on its own question leaves it open, and no agent answers in the user's place", async () => {
  const { world, driven, runId, post, parents } = await startAsking();
  await post({ type: "PROGRESS", run_id: runId, parents }, "I will assume the left one");
  world.write("posted", "");
  await until("it waits", () => isWaiting(world));
  await post({ type: "ANSWER", run_id: otherRun, parents }, "The right one");
  await post({ type: "USER", run_id: otherRun, parents }, "Any of them");
  await post({ type: "ANSWER", meta: { from_run: otherRun }, parents }, "Both");
  await world.post("ANSWER", "The left one", parents);
  expect(endOf(await driven)).toBe("completed");
  expect(world.runs()).toHaveLength(2);
  expect(world.prompts()[1]).toContain("> The left one");
  expect(world.prompts()[1]).not.toMatch(/> (The right one|Any of them|Both)/);
});

test("a question in the agent's last words is put on the bus; what the user said before it does not answer it", async () => {
  const block = [
    "printf 'BUILDOS_HOMEWORK_STATUS:\\n  exit_signal: false\\n  needs_user_input: true\\n  blocking_questions:\\n    - Which tap?\\n'",
  ].join("");
  const world = makeTaskWorld(`[ -e asked ] && { ${writeDoneScript}; exit 0; }; touch asked; ${block}`);
  await world.create();
  await world.post("USER", "Mind the roses");
  const driven = world.drive();
  await until("the question is on the bus", () => world.bodies("QUESTION").length === 1);
  const asked = world.entries().find(({ type }) => type === "QUESTION");
  expect(asked).toMatchObject({ body: "Which tap?", run_id: world.runs()[0]?.runId });
  await world.post("ANSWER", "The left one", [asked?.msg_id ?? ""]);
  expect(endOf(await driven)).toBe("completed");
  expect(world.bodies("QUESTION")).toHaveLength(1);
  expect(world.prompts()[1]).toMatch(/Which tap\?[\s\S]*The user answered:\n> The left one/);
});
