import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeWorld, processesOf, until } from "../../../test/agents/job-world.ts";
import { hostileStrings } from "../../../test/helpers/hostile-strings.ts";
import { removeFolders } from "../../../test/helpers/runner-root.ts";
import { inRun } from "../layout/runner-root.ts";
import { countUsage } from "./job.ts";
import { inJob, takeResult } from "./job-files.ts";

afterEach(removeFolders);

test("a run from its start to its end: prompt, output, record, bus, result", async () => {
  const { play, events } = makeWorld();
  const end = JSON.stringify({
    end: { isError: false, why: "" },
    text: "All watered.",
    session: "s1",
    tokens: { input: 10, cacheRead: 1, cacheWrite: 2, output: 20, reasoning: 3 },
    costUsd: 0.5,
  });
  const { run, result, info, handle } = await play(`cat; echo; echo '${end}'; echo careful > /dev/stderr`);
  expect(readFileSync(inRun(run, "stdout"), "utf8")).toBe(`Water the plants.\n${end}\n`);
  expect(readFileSync(inRun(run, "stderr"), "utf8")).toBe("careful\n");
  expect(readFileSync(inRun(run, "output"), "utf8")).toBe("All watered.");
  expect(result).toMatchObject({ verdict: { kind: "ok" }, exit_code: 0, session: "s1", cost_usd: 0.5, notes: [] });
  expect(info).toMatchObject({
    status: "completed",
    exit_code: 0,
    cost_usd: 0.5,
    usage: { input_tokens: 10, cache_read_tokens: 1, cache_write_tokens: 2, output_tokens: 20, reasoning_tokens: 3 },
    shim_pid: handle.shim.pid,
    commandline: expect.stringMatching(/^sh -c /),
  });
  expect(events().map(({ type, run_id: id }) => [type, id])).toEqual([
    ["START", run.runId],
    ["STOP", run.runId],
  ]);
  expect(events()[0]?.body).toBe(`command started in ${run.path}`);
  expect(existsSync(inJob(run, "temp"))).toBe(false);
  expect(statSync(inJob(run, "result")).mode & 0o077).toBe(0);
});

test("without words of its own, an agent's output is what it printed; its own output.md stays", async () => {
  const { play, task } = makeWorld();
  const printed = await play("printf 'first\\nlast'");
  expect(readFileSync(inRun(printed.run, "output"), "utf8")).toBe("first\nlast");
  const own = await play(`echo printed; echo mine > "$JRUN_RUN_FOLDER/output.md"`, { workFolder: task.path });
  expect(readFileSync(inRun(own.run, "output"), "utf8")).toBe("mine\n");
});

test("a failure is told with its last lines", async () => {
  const { play, events } = makeWorld();
  const { result, info } = await play("seq 1 80 >&2; exit 1");
  expect(result).toMatchObject({ verdict: { kind: "failed" }, exit_code: 1, signal: null });
  expect(info).toMatchObject({
    status: "failed",
    exit_code: 1,
    error_summary: "The agent reported a failure (exit code 1).",
  });
  const crash = events().at(-1);
  expect(crash?.type).toBe("CRASH");
  expect(crash?.body).toMatch(/\n31\n[\s\S]*\n80$/);
  expect(crash?.body).not.toMatch(/\n30\n/);
});

test("what the output says counts more than exit code 0", async () => {
  const { play } = makeWorld();
  const { result, info } = await play(`echo '{"end":{"isError":true,"why":"401: no such key"}}'`);
  expect(result).toMatchObject({ verdict: { kind: "refused", why: "401: no such key" }, exit_code: 0 });
  expect(info).toMatchObject({ status: "failed", exit_code: 0, error_summary: "401: no such key" });
});

test.each([
  ["a program that is missing", { program: ["no-such-agent"] }, "no-such-agent was not found"],
  ["a file that is no program", { program: ["/etc/passwd"] }, "may not be executed"],
])("%s is refused in clear words", async (_what, over, why) => {
  const { play, types } = makeWorld();
  const { result, info } = await play("", over);
  expect(result.verdict).toMatchObject({ kind: "refused", why: expect.stringContaining(why) });
  expect(info).toMatchObject({ status: "failed", exit_code: -1 });
  expect(types()).toEqual(["CRASH"]);
});

test("the agent has an environment of its own, and can forge nothing of it", async () => {
  const variables = {
    ...process.env,
    TEST_LET: "yes",
    OPENAI_API_KEY: "other",
    CLAUDECODE: "1",
    SECRET: "no",
    JRUN_ID: "x",
  };
  const { play, task } = makeWorld(undefined, variables);
  const { run } = await play("env -0", { token: "own key", hasOwnHome: true, parentRunId: "parent" });
  const env = Object.fromEntries(
    readFileSync(inRun(run, "stdout"), "utf8")
      .split("\0")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect(env).toMatchObject({
    JRUN_PROJECT_ID: "garden",
    JRUN_TASK_ID: task.taskId,
    JRUN_ID: run.runId,
    JRUN_PARENT_ID: "parent",
    JRUN_RUN_FOLDER: run.path,
    TEST_AGENT_KEY: "own key",
    TEST_LET: "yes",
    TERM: "dumb",
    HOME: inJob(run, "home"),
    TMPDIR: inJob(run, "temp"),
    PATH: expect.stringMatching(/^\/opt\/run-agent\/bin:/),
  });
  for (const name of ["SECRET", "OPENAI_API_KEY", "CLAUDECODE", "RUN_AGENT_SHIM", "TEST_OF_HOMEWORK_FILE"])
    expect(env).not.toHaveProperty(name);
});

test("no key is on the disk of a run", async () => {
  const { play } = makeWorld();
  const { run } = await play("true", { token: "very secret", program: ["sh", "-c", "true", "very secret"] });
  for (const file of [inRun(run, "info"), inJob(run, "log"), inJob(run, "result")])
    expect(readFileSync(file, "utf8")).not.toContain("very secret");
});

test("hostile strings arrive as they are: as prompt, as arguments, in the environment", async () => {
  const { play, root, task } = makeWorld();
  const all = hostileStrings(5_000).filter((text) => text.isWellFormed());
  const args = all.filter((text) => !text.includes("\0"));
  for (const part of [0, 1, 2]) {
    const some = args.filter((_, index) => index % 3 === part);
    const prompt = all.filter((_, index) => index % 3 === part).join("\n");
    const golden = path.join(root.folder, "..", `argv-${part}`);
    const script = `printf '%s\\0' "$@" > ${golden}; cat`;
    const { run } = await play("", { prompt, program: ["sh", "-c", script, "sh", ...some] });
    expect(readFileSync(inRun(run, "stdout")).equals(Buffer.from(prompt))).toBe(true);
    expect(readFileSync(golden, "utf8")).toBe(some.map((text) => `${text}\0`).join(""));
  }
  expect(existsSync(path.join(task.path, "..", "..", "..", "etc"))).toBe(false);
});

test("half of a character in a prompt is refused before anything is made", async () => {
  const { start, root, task } = makeWorld();
  await expect(start("cat", { prompt: "a\ud800" })).rejects.toThrow("half of a character");
  expect(root.disk.list(path.join(task.path, "runs"))).toEqual([]);
});

test("a work folder that is missing is refused before the agent starts", async () => {
  const { start, root, task } = makeWorld();
  await expect(start("true", { workFolder: path.join(task.path, "gone") })).rejects.toThrow("is missing");
  expect(root.disk.list(path.join(task.path, "runs"))).toEqual([]);
});

test("one key is one run, and its result is taken once", async () => {
  const { start, wait, root, runOf } = makeWorld();
  const [first, second] = await Promise.all([
    start("echo once", { key: "run:1:agent" }),
    start("echo once", { key: "run:1:agent" }),
  ]);
  expect(second.run_id).toBe(first.run_id);
  expect((await start("echo other", { key: "run:2:agent" })).run_id).not.toBe(first.run_id);
  await wait(first);
  expect((await start("echo late", { key: "run:1:agent" })).run_id).toBe(first.run_id);
  const takes = await Promise.all(["a", "b", "a", "c"].map((by) => takeResult(root, runOf(first), by)));
  const taker = ["a", "b", "a", "c"][takes.indexOf(true)];
  expect(takes.filter(Boolean)).toHaveLength(taker === "a" ? 2 : 1);
  expect(await takeResult(root, runOf(first), taker ?? "")).toBe(true);
  await until("all ended", () => processesOf(runOf(first)).length === 0);
});

test("usage of a whole session is counted from where the session was", () => {
  const tokens = { input: 30, cacheRead: 0, cacheWrite: 0, output: 9, reasoning: 0 };
  const heard = {
    session: "s",
    end: null,
    text: "",
    speech: [],
    tokens,
    costUsd: 0.75,
    isSessionTotal: true,
    retries: 0,
    error: null,
    limit: null,
  };
  const before = { tokens: { ...tokens, input: 10, output: 4 }, costUsd: 0.5 };
  expect(countUsage(heard, before)).toEqual({
    tokens: { ...tokens, input: 20, output: 5 },
    cost_usd: 0.25,
    session_totals: { tokens, costUsd: 0.75 },
  });
  expect(countUsage({ ...heard, isSessionTotal: false }, before)).toMatchObject({ tokens, session_totals: null });
});
