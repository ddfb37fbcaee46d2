// The file guard, the reviewer and the host of a run, with real processes.

import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { agentWorld, scriptAgent } from "../../../test/helpers/agent-world.ts";
import { makeRepository } from "../../../test/helpers/make-repository.ts";
import { makeRoot } from "../../../test/helpers/runner-root.ts";
import { runGit } from "../../../test/helpers/test-git.ts";
import { respond } from "../../domain/run/commands.ts";
import type { Run } from "../../domain/run/run.ts";
import { seeHost } from "../../store/agent/work-store.ts";
import { workFolderOf } from "./agent-place.ts";

const world = await agentWorld();
const done = 'touch "$JRUN_TASK_FOLDER/DONE"; echo finished';
const inWork = (run: Run, file: string) => path.join(workFolderOf(world.taskOf(run)), file);

async function answer(run: Run, text: string) {
  const { state } = await world.find(run.id);
  if (state.status !== "waiting_on_user") throw new Error(`it is ${state.status}`);
  await world.command(run, (now) => respond(now, [{ questionId: state.questions[0].id, text }]));
}

test.each([
  ["allow", true],
  ["no, take it back", false],
])("credentials pause the agent in the middle of its work; the user says %s", async (word, isKept) => {
  const run = await world.createRun();
  const decision = await world.step(run, [scriptAgent("echo KEY=1 > .env; echo a > a.txt; sleep 60")]);
  expect(decision).toMatchObject({ kind: "ask", questions: [{ text: expect.stringContaining(".env") }] });
  await answer(run, word);
  expect(await world.step(run, [scriptAgent(done)])).toMatchObject({ kind: "complete" });
  expect([existsSync(inWork(run, ".env")), existsSync(inWork(run, "a.txt"))]).toEqual([isKept, true]);
});

test("many deleted files are asked about, and come back", async () => {
  const files = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`f${n}.txt`, `${n}\n`]));
  const run = await world.createRun({ workFolder: await makeRepository(files) });
  const decision = await world.step(run, [scriptAgent(`rm f*.txt; ${done}`)]);
  expect(decision).toMatchObject({ kind: "ask", questions: [{ text: expect.stringContaining("deleted 8 files") }] });
  await answer(run, "undo");
  expect(await world.step(run, [scriptAgent(`rm f1.txt; ${done}`)])).toMatchObject({ kind: "complete" });
  expect([existsSync(inWork(run, "f0.txt")), existsSync(inWork(run, "f1.txt"))]).toEqual([true, false]);
});

test("a link that leads out of the folder is asked about", async () => {
  const run = await world.createRun();
  const decision = await world.step(run, [scriptAgent(`ln -s /etc/hostname out; ${done}`)]);
  expect(decision).toMatchObject({ kind: "ask", questions: [{ text: expect.stringContaining("/etc/hostname") }] });
});

test("the agent's home is its own, and no key of this process is in its environment", async () => {
  process.env.SOME_SECRET_KEY = "hush";
  const run = await world.createRun();
  await world.step(run, [scriptAgent(`echo "$HOME" > home.txt; env > env.txt; ${done}`)]);
  const { stdout } = await runGit(path.dirname(inWork(run, "x")), ["show", "HEAD:home.txt", "HEAD:env.txt"]);
  delete process.env.SOME_SECRET_KEY;
  expect(stdout.split("\n")[0]).toBe(path.join(world.taskOf(run).path, "home"));
  expect(stdout).not.toContain("hush");
});

const says = (answered: object) => `cat > /dev/null; echo '${JSON.stringify(answered)}'`;
const quote = { file: "greeting.txt", line: 1, quote: "hello, world" };

test("a reviewer that finds a fault sends the work back with file and line; one that agrees has to quote it", async () => {
  const run = await world.createRun({ isJudged: true });
  const worker = scriptAgent(`echo "hello, world" > greeting.txt; ${done}`);
  const faults = {
    complete: false,
    findings: [{ ...quote, line: 7, problem: "The user wants it in French." }],
    quotes: [],
  };
  const strict = scriptAgent(says(faults), "strict");
  const sentBack = await world.step(run, [worker, strict]);
  expect(sentBack).toMatchObject({
    kind: "continue",
    next: "mend_what_failed",
    why: expect.stringContaining("greeting.txt:1 “hello, world”: The user wants it in French."),
  });
  const invents = {
    complete: true,
    findings: [],
    quotes: [{ file: "greeting.txt", line: 1, quote: "bonjour le monde" }],
  };
  expect(await world.step(run, [worker, scriptAgent(says(invents), "liar")])).toMatchObject({
    kind: "continue",
    why: expect.stringContaining("quotes nothing that this run changed"),
  });
  const agrees = { complete: true, findings: [], quotes: [quote] };
  expect(await world.step(run, [worker, scriptAgent(says(agrees), "fair")])).toMatchObject({ kind: "complete" });
});

test("what a reviewer does to its copy reaches nothing", async () => {
  const run = await world.createRun({ isJudged: true });
  const worker = scriptAgent(`echo "hello, world" > greeting.txt; ${done}`);
  const agrees = says({ complete: true, findings: [], quotes: [quote] });
  const vandal = scriptAgent(`rm -f greeting.txt; echo spoiled > other.txt; ${agrees}`, "vandal");
  expect(await world.step(run, [worker, vandal])).toMatchObject({ kind: "complete" });
  expect([existsSync(inWork(run, "greeting.txt")), existsSync(inWork(run, "other.txt"))]).toEqual([true, false]);
});

test("a run belongs to the host that has its folder; once that is gone for longer than the grace, another begins anew and says so", async () => {
  const run = await world.createRun();
  expect(await world.step(run, [scriptAgent("echo one > one.txt")])).toMatchObject({ kind: "continue" });
  await world.db.asSystem((tx) => seeHost(tx, "here"));
  const there = makeRoot({ host: "there" });
  expect(await world.step(run, [scriptAgent(done)], { root: there })).toMatchObject({
    kind: "hold",
    why: expect.stringContaining("on here"),
  });
  await world.admin.query("update homework.agent_hosts set seen_at = now() - interval '1 day' where host = 'here'");
  const goesOn = () => world.step(run, [scriptAgent(`echo two > two.txt; ${done}`)], { root: there });
  // The job of an iteration that is held comes later.
  await expect.poll(goesOn, { interval: 500 }).toMatchObject({ kind: "complete" });
  const { rows } = await world.admin.query(
    "select summary from homework.homework_run_iterations where run_id = $1 order by iteration",
    [run.id],
  );
  expect(rows.at(-1).summary).toMatch(/^The host here, .* is gone\. The work began anew/);
});
