import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { expectNoneLeft } from "../../../test/agents/expect-none-left.ts";
import { makeWorld, until } from "../../../test/agents/job-world.ts";
import { testLimitMs } from "../../../test/helpers/patience.ts";
import { makeFolder, removeFolders } from "../../../test/helpers/runner-root.ts";
import { requireBackend } from "../backends/backends.ts";
import { openBus } from "../bus/bus.ts";
import type { JobRequest } from "../job/job.ts";
import { inRun } from "../layout/runner-root.ts";
import { requestStop } from "../layout/task-files.ts";

// Whole runs: the shim, the program that talks, and an agent of ours that speaks the protocol.

afterEach(removeFolders);

const agentProgram = fileURLToPath(new URL("../../../test/agents/programs/acp-agent.ts", import.meta.url));

function makeAcpWorld() {
  const world = makeWorld();
  const work = path.join(makeFolder(), "work");
  mkdirSync(work);
  const request = (args: readonly string[], over: Partial<JobRequest> = {}): Partial<JobRequest> => ({
    backend: requireBackend("acp"),
    program: [process.execPath, agentProgram, ...args],
    workFolder: work,
    ...over,
  });
  return {
    ...world,
    work,
    at: (name: string) => path.join(work, name),
    play: (args: readonly string[], over: Partial<JobRequest> = {}) => world.play("", request(args, over)),
    start: (args: readonly string[], over: Partial<JobRequest> = {}) => world.start("", request(args, over)),
  };
}

test("an agent gets the prompt, works, and its text, tokens and cost are known", { timeout: testLimitMs }, async () => {
  const world = makeAcpWorld();
  const { result, run } = await world.play(["ok"], { prompt: "Write DONE.\n\u2028 “Now”" });
  expect(result).toMatchObject({
    verdict: { kind: "ok" },
    session: "session-1",
    tokens: { input: 60, cacheRead: 40, cacheWrite: 0, output: 10, reasoning: 2 },
    cost_usd: 0.25,
  });
  expect(readFileSync(inRun(run, "output"), "utf8")).toBe("All done.");
  expect(readFileSync(world.at("prompt-heard"), "utf8")).toBe("Write DONE.\n\u2028 “Now”");
  const kinds = readFileSync(inRun(run, "stdout"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  expect(kinds).toEqual(["session", "thinking", "text", "text", "tool", "tool", "context", "text", "usage", "end"]);
  await expectNoneLeft(run);
});

test("a model and a mode are chosen among those that the agent offers", { timeout: testLimitMs }, async () => {
  const world = makeAcpWorld();
  const { result } = await world.play(["ok"], { model: "large", mode: "plan" });
  expect(result.verdict.kind).toBe("ok");
  expect([readFileSync(world.at("model"), "utf8"), readFileSync(world.at("mode"), "utf8")]).toEqual(["large", "plan"]);
  const { result: refused } = await world.play(["ok"], { model: "huge" });
  expect(refused.verdict).toMatchObject({ kind: "refused", why: expect.stringContaining("It offers small, large") });
});

test("what was said before a session is gone on with is not said again", { timeout: testLimitMs }, async () => {
  const { result, run } = await makeAcpWorld().play(["say", "Going on."], { session: "session-1" });
  expect(result).toMatchObject({ verdict: { kind: "ok" }, session: "session-1" });
  expect(readFileSync(inRun(run, "stdout"), "utf8")).not.toContain("before");
});

const outside = "/elsewhere/file";
type Row = readonly [what: string, policy: "allow" | "reject", place: string, answer: string];
const policies: readonly Row[] = [
  ["allowed inside of the work folder", "allow", "", "yes"],
  ["rejected", "reject", "", "no"],
];
test.each(policies)("a request is %s", { timeout: testLimitMs }, async (_, permissions, place, answer) => {
  const { run } = await makeAcpWorld().play(["permission", place], { permissions });
  expect(readFileSync(inRun(run, "output"), "utf8")).toBe(`answer: ${answer}`);
});

type Asked = readonly [permissions: "allow" | "ask", place: string, answer: string, got: string];
const answers: readonly Asked[] = [
  ["ask", "", "yes", "yes"],
  ["ask", "", "2", "ever"],
  ["ask", "", "No.", "no"],
  ["allow", outside, "Always allow", "ever"],
];
test.each(answers)(
  "%s, %j: a question on the bus waits, and its answer %j decides",
  { timeout: testLimitMs },
  async (permissions, place, answer, got) => {
    const world = makeAcpWorld();
    const limits = { idleMs: 500, stuckMs: null, wallMs: null, firstOutputMs: null, graceMs: 500 };
    const handle = await world.start(["permission", place], { permissions, limits });
    await until("a question", () => world.types().includes("QUESTION"));
    const question = world.events().find(({ type }) => type === "QUESTION");
    expect(question?.body).toContain("1. Allow\n2. Always allow\n3. Reject");
    // Far longer than it may be idle.
    await until("waiting", () => existsSync(path.join(world.runOf(handle).path, "watch.json")));
    expect(world.infoOf(handle).status).toBe("running");
    const bus = openBus(world.root, world.task);
    await bus.post({ type: "ANSWER", body: "yes", run_id: handle.run_id, parents: [question?.msg_id ?? ""] });
    await bus.post({ type: "ANSWER", body: answer, parents: [question?.msg_id ?? ""] });
    await world.wait(handle);
    expect(readFileSync(inRun(world.runOf(handle), "output"), "utf8")).toBe(`answer: ${got}`);
  },
);

test("an answer that is more than a yes or no is a no, and the agent is told it", {
  timeout: testLimitMs,
}, async () => {
  const world = makeAcpWorld();
  const handle = await world.start(["permission"], { permissions: "ask" });
  const answerAll = async (body: string) => {
    const open = world
      .events()
      .filter(({ type }) => type === "QUESTION")
      .at(-1);
    await openBus(world.root, world.task).post({ type: "ANSWER", body, parents: [open?.msg_id ?? ""] });
  };
  await until("a question", () => world.types().includes("QUESTION"));
  await answerAll("Use another name.");
  // The agent is prompted with it, and asks again.
  await until("a second question", () => world.types().filter((type) => type === "QUESTION").length === 2);
  await answerAll("yes");
  expect((await world.wait(handle)).verdict.kind).toBe("ok");
  expect(readFileSync(inRun(world.runOf(handle), "stdout"), "utf8")).toContain("Use another name.");
});

test("what people say meanwhile is the next prompt of the same session", { timeout: testLimitMs }, async () => {
  const world = makeAcpWorld();
  const handle = await world.start(["turns"]);
  const stdout = inRun(world.runOf(handle), "stdout");
  await until("the first turn", () => existsSync(stdout) && readFileSync(stdout, "utf8").includes("waiting"));
  const bus = openBus(world.root, world.task);
  await bus.post({ type: "USER", body: "Leave room for roses." });
  await bus.post({ type: "INFO", body: "not for the agent" });
  const words = await bus.post({ type: "INFO", body: "The agent's own words.", run_id: handle.run_id });
  await bus.post({ type: "USER", body: "of another run", run_id: "20261116-1200000000-1" });
  const last = await bus.post({ type: "USER", body: "And for tulips.", parents: [words.msg_id] });
  writeFileSync(world.at("go"), "");
  const result = await world.wait(handle);
  expect(result).toMatchObject({ verdict: { kind: "ok" }, tokens: { output: 20 } });
  expect(readFileSync(inRun(world.runOf(handle), "output"), "utf8")).toBe(
    "heard: Leave room for roses.\n\nAnd for tulips.",
  );
  const mark = readFileSync(path.join(world.runOf(handle).path, "bus-seen.json"), "utf8");
  expect(JSON.parse(mark)).toEqual({ msg_id: last.msg_id });
});

test("a run that is stopped cancels the turn first, so the agent ends its tool by itself", {
  timeout: testLimitMs,
}, async () => {
  const world = makeAcpWorld();
  const handle = await world.start(["tool"], {
    limits: { idleMs: null, stuckMs: null, wallMs: null, firstOutputMs: null, graceMs: 20_000 },
  });
  await until("the tool", () => existsSync(world.at("tool.pid")));
  requestStop(world.root, world.runOf(handle), "a person", "enough");
  const result = await world.wait(handle);
  expect(result).toMatchObject({ stop: { by: "a person" }, tokens: { output: 10 } });
  expect(existsSync(world.at("canceled"))).toBe(true);
  await expectNoneLeft(world.runOf(handle));
});

test("an agent that ignores being canceled is killed", { timeout: testLimitMs }, async () => {
  const world = makeAcpWorld();
  const handle = await world.start(["stubborn"]);
  const stdout = inRun(world.runOf(handle), "stdout");
  await until("the turn", () => existsSync(stdout) && readFileSync(stdout, "utf8").includes("I stay."));
  requestStop(world.root, world.runOf(handle), "a person", "enough");
  expect((await world.wait(handle)).verdict).toMatchObject({ kind: "failed", why: "Stopped: enough" });
  await expectNoneLeft(world.runOf(handle));
});

test("files are read and written in the work folder alone", { timeout: testLimitMs }, async () => {
  const world = makeAcpWorld();
  const { run } = await world.play(["files"]);
  const [wrote, read, linked, escaped, through] = readFileSync(inRun(run, "output"), "utf8").split("\n");
  expect([wrote, read]).toEqual(["{}", '{"content":"two"}']);
  for (const each of [linked, escaped, through]) expect(each).toMatch(/^refused .*outside of the work folder/);
  expect(existsSync("/tmp/acp-escape")).toBe(false);
});

type End = readonly [args: readonly string[], kind: string];
// Which end is which kind is told in converse.test.ts; here each kind comes through the shim once.
const ends: readonly End[] = [
  [["login"], "refused"],
  [["fail", JSON.stringify({ code: 429, message: "Too many requests" })], "transient"],
  [["crash"], "failed"],
  [["noise"], "ok"],
];
test.each(ends)("%j is %s", { timeout: testLimitMs }, async (args, kind) => {
  const { result, run } = await makeAcpWorld().play(args);
  expect(result.verdict.kind).toBe(kind);
  await expectNoneLeft(run);
});

test("a program that is missing is refused", { timeout: testLimitMs }, async () => {
  const world = makeAcpWorld();
  const { result } = await world.play([], { program: ["/nowhere/agent"] });
  expect(result.verdict).toMatchObject({ kind: "refused", why: expect.stringContaining("was not found") });
});
