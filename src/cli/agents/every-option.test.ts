// Every option of every command of `run-agent` changes something: what it prints and what it leaves on the disk is compared with and
// without the option. What only an agent at work can show is left to the tests that start agents.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeAgentCli } from "../../../test/helpers/agent-cli.ts";
import {
  type CommandRow,
  casesOf,
  commandsBelow,
  expectEffect,
  listStale,
  type Transcript,
} from "../../../test/helpers/every-option.ts";
import { makeRun, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { openBus } from "../../runner/bus/bus.ts";
import { endRun } from "../../runner/layout/run-info.ts";
import { createTask, inRun } from "../../runner/layout/runner-root.ts";
import { keepTaskText } from "../../runner/layout/task-files.ts";
import { buildAgentProgram } from "./program.ts";
import { hostForAgentHelp } from "./reference.ts";

afterEach(removeFolders);

const water = ["-t", "water"] as const;
/** These stand for what the folder of each run of the test has. */
const ids = { task: "TASK", run: "RUN", message: "MESSAGE" };
const scope = { "--scope": "project" } as const;

/**
 * They start an agent, and say nothing before it has ended: see test/process/run-agent-task.test.ts and run-agent-job of the agents. An
 * answer needs an agent that asks and is alive: alive.test.ts.
 */
const atWork = ["job", "task resume", "serve", "watch", "bus stream", "answer"];
/** Without an end of their own. */
const waiting = ["output --follow", "bus poll --wait", "bus poll --timeout", "bus read --follow"];

const start = ["-p", "garden", "Prune the roses"] as const;
const rows: Readonly<Record<string, CommandRow>> = {
  "task start": {
    args: start,
    options: {
      "--agent": "one",
      "--command": "/bin/cat",
      "--cwd": "/",
      "--parent-run-id": ids.run,
      "--file": { value: "text.md", args: ["-p", "garden"] },
      "--name": "roses",
      "--depends-on": ids.task,
      "--detach": true,
      "--check": "true",
    },
  },
  "task create": {
    args: start,
    options: { "--file": { value: "text.md", args: ["-p", "garden"] }, "--name": "roses", "--depends-on": ids.task },
  },
  "task state": { args: [...water, "Half"], options: { "--file": { value: "text.md", args: water } } },
  "task cancel": { args: water, options: { "--reason": "rain" } },
  "task delete": { args: water, options: { "--yes": { isNeeded: true } } },
  stop: { args: water, options: { "--reason": "rain" } },
  list: { options: { "--status": "done", "--limit": { value: "1", base: [...water], args: [...water] } } },
  output: { args: water, options: { "--file": "stderr", "--tail": "1" } },
  "bus post": {
    args: [...water, "Hello"],
    options: {
      "--type": "FACT",
      "--message": "More",
      "--file": { value: "text.md", args: water },
      "--parents": ids.message,
      "--run": ids.run,
      ...scope,
    },
  },
  "bus poll": {
    args: water,
    options: { ...scope, "--since": "2099-01-01T00:00:00Z", "--since-id": ids.message, "--filter": "QUESTION" },
  },
  "bus read": { args: water, options: { ...scope, "--tail": "1", "--filter": "QUESTION" } },
  "bus discover": { options: { "--from": "run-agent/garden" } },
  "facts add": {
    args: [...water, "Taps", "Broken"],
    options: { "--file": { value: "text.md", args: [...water, "Taps"] }, "--run": ids.run },
  },
  gc: {
    options: {
      "--dry-run": { beside: ["--older-than", "0s"] },
      "--older-than": "0s",
      "--keep-failed": { beside: ["--older-than", "0s"] },
      "--delete-done-tasks": { beside: ["--older-than", "0s"] },
      "--rotate-bus": { beside: ["--bus-max-size", "1B"], isNeeded: true },
      "--bus-max-size": { value: "1B", beside: ["--rotate-bus"] },
    },
  },
};

/** A task with two runs that failed, a done one, and some messages. */
async function makePlace() {
  const cli = makeAgentCli();
  const task = makeTask(cli.root);
  keepTaskText(cli.root, task, "Water the plants");
  const runs = [makeRun(cli.root, task), makeRun(cli.root, task)];
  for (const run of runs) {
    for (const file of ["output", "stdout"] as const) writeFileSync(inRun(run, file), "first\nlast\n");
    await endRun(cli.root, run, { exitCode: 1, isSuccess: false });
  }
  const bus = openBus(cli.root, task);
  const first = await bus.post({ type: "FACT", body: "The pump is broken" });
  await bus.post({ type: "USER", body: "Mind the roses" });
  const done = createTask(cli.root, "garden", "Rake");
  keepTaskText(cli.root, done, "Rake");
  await endRun(cli.root, makeRun(cli.root, done), { exitCode: 0, isSuccess: true });
  writeFileSync(path.join(done.path, "DONE"), "");
  writeFileSync(path.join(cli.home, "text.md"), "From a file");
  mkdirSync(path.join(cli.root.folder, "garden"), { recursive: true });
  const agent = (name: string) => `agent "${name}" {\n  type = "command"\n  command = ["/bin/cat"]\n}\n`;
  writeFileSync(path.join(cli.root.folder, "config.hcl"), agent("one") + agent("two"));
  return { ...cli, known: { [ids.task]: task.taskId, [ids.run]: runs[0]?.runId ?? "", [ids.message]: first.msg_id } };
}

/** Names, times and ids differ from one folder to the next. */
const withoutNumbers = (text: string, home: string): string => text.replaceAll(home, "HOME").replaceAll(/\d+/g, "#");

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? filesBelow(file) : [`${file}: ${readFileSync(file, "utf8")}`];
  });
}

async function play(args: readonly string[]): Promise<Transcript> {
  const { run, root, home, known } = await makePlace();
  const { code, out, words } = await run(
    args.map((each) => known[each] ?? each),
    {
      ...(args[0] === "task" && args[1] === "start"
        ? { openAgents: () => Promise.reject(new Error("far enough")) }
        : {}),
      env: { ...root.env, sleep: () => Promise.reject(new Error("nothing is waited for")) },
    },
  );
  return {
    code,
    happened: [...filesBelow(home), out, words]
      .map((text) => withoutNumbers(text, home))
      .toSorted()
      .concat(words),
  };
}

const program = buildAgentProgram(hostForAgentHelp);
const cases = casesOf(program, rows).filter(
  ([name]) => !waiting.includes(name) && !atWork.some((command) => name.startsWith(`${command} `)),
);

test.each(cases)("%s changes something", (_, tried) => expectEffect(tried, play));

test("no row is of a command or an option that is gone", () => {
  expect(listStale(program, rows)).toEqual([]);
  expect(atWork.filter((name) => !commandsBelow(program).has(name))).toEqual([]);
});

test.each<readonly string[]>([
  ["serve", "-t", "water"],
  ["gc", "-t", "water"],
  ["list", "--set", "max_restarts=3"],
  ["status", "--set", "max_restarts=3", "-t", "water"],
  ["list", "-t", "water", "--status", "done"],
  ["bus", "discover", "-p", "garden"],
  ["config", "schema", "--root", "/x"],
  ["completion", "bash", "--json"],
  ["gc", "--bus-max-size", "5MB"],
  ["task", "create", "-t", "water", "More"],
])("%s %s %s: an option that would do nothing is refused", async (...args) => {
  const { run, root, home } = await makePlace();
  const before = filesBelow(home);
  expect(await run(args)).toMatchObject({ code: 2, out: "" });
  expect([root.folder, filesBelow(home)]).toEqual([root.folder, before]);
});

test.each<readonly string[]>([
  ["list", "-p", "garden"],
  ["status", "-t", "water"],
  ["gc", "-p", "garden", "--dry-run"],
  ["config", "show", "-t", "water", "--set", "max_restarts=3"],
])("%s %s %s: one that counts is taken", async (...args) => {
  const { run } = await makePlace();
  expect((await run(args)).code).toBe(0);
});
