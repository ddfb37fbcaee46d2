// A whole outcome as a person would start it on a fresh clone: the launcher, a folder of its own, no key, the demo model.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { makeDataFolder, removeDataFolder, startServer, stopServer } from "../helpers/served.ts";

const launcher = fileURLToPath(new URL("../../bin/homework.js", import.meta.url));
const data = makeDataFolder();
afterAll(() => removeDataFolder(data));

/** A command of ours, to its end. */
async function homework(...args: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME: data, HOMEWORK_DATA: data, HOMEWORK_FIND_LOCAL_MODELS: "false" };
  const child = spawn(process.execPath, [launcher, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let words = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    words += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out, words };
}

test("without a key a brief is drafted, worked on, asked about, answered and achieved, and what was found is in later prompts", async () => {
  const started = await homework("outcome", "start", "A street festival for the neighbourhood");
  expect(started.words).toContain("the demo model does the work");
  expect(started.words).toContain("Drafting intent, approach and tasks.");
  expect(started.words).toContain("Drafted intent, approach and 5 tasks");
  expect(started.words).toMatch(/HOMЯ: Told #2, #3, #4: .*Purpose and guests/);
  expect(started.words).toContain("HOMЯ needs your decision.");
  expect(started.words).toContain("Tasks paused: #5");
  expect(started.words).toContain("Waiting for your decision. Tasks: 1 waiting for you, 4 completed");
  expect(started.code).toBe(23);

  const answered = await homework("escalation", "answer", "last", "1");
  expect([answered.code, answered.words]).toEqual([0, expect.stringContaining("Tasks resumed: 1")]);

  const watched = await homework("outcome", "watch", "last");
  expect(watched.words).toContain("Outcome achieved. Tasks: 5 completed");
  expect(watched.out).toMatch(/Results\n {2}#1 Draft: Purpose and guests .*: \/projects\//);
  expect(watched.out).toMatch(/Decided\n {2}Which of .* → Is there power, .* \(by you\)/);
  expect(watched.out).toContain("5 observations · 1 discovery · 1 steering action · 1 question · $0.00");
  expect(watched.code).toBe(0);

  const shown = await homework("outcome", "show", "last", "--json");
  const outcome = JSON.parse(shown.out) as {
    id: string;
    status: string;
    task_list: { number: number; run_id: string }[];
  };
  expect([outcome.status, outcome.task_list.length]).toEqual(["achieved", 5]);
  await expectTold(outcome.id, outcome.task_list);
});

/** Read back from what each prompt carried: its receipt, and the words themselves. */
async function expectTold(outcomeId: string, tasks: readonly { readonly number: number; readonly run_id: string }[]) {
  const server = await startServer(data);
  try {
    const context = await server.api(routes.homr.context, { params: { outcomeId } });
    const [found, ...others] = context.discoveries;
    expect([found?.type, others.length]).toEqual(["dependency", 0]);
    const itemId = found?.id ?? "";
    const { items } = await server.api(routes.homr.receipts, { params: { outcomeId, itemId }, query: {} });
    const told = new Set(items.map(({ run_id: runId }) => tasks.find((task) => task.run_id === runId)?.number));
    expect([...told].toSorted()).toEqual([2, 3, 4]);
    const last = tasks.find(({ number }) => number === 5)?.run_id ?? "";
    const { run } = await server.api(routes.runs.get, { params: { runId: last }, query: {} });
    expect(run.report?.primary_output?.title).toContain("All on one page");
  } finally {
    await stopServer(server);
  }
}

test("with --json its events are the data, one a line, and a question that is dismissed does not hold it up", async () => {
  const started = await homework("outcome", "start", "Write a guide: soil, seeds, water", "--json", "--detach");
  expect(started.code).toBe(0);
  expect(JSON.parse(started.out)).toMatchObject({ status: "active", is_drafting: true });
  const watched = await homework("outcome", "watch", "last", "--json");
  expect(watched.code).toBe(23);
  for (const line of watched.out.trim().split("\n"))
    expect(JSON.parse(line)).toMatchObject({ seq: expect.any(Number) });
  expect((await homework("escalation", "dismiss", "last")).code).toBe(0);
  const ended = await homework("outcome", "watch", "last");
  expect(ended.words).toContain("Outcome achieved.");
});
