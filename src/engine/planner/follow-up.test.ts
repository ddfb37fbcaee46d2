// What a run that follows up another one really sends to its models, and whether it can open what it is told of.

import { expect, test } from "vitest";
import {
  call,
  hallWords,
  inProject,
  objective,
  pageCheck,
  pageRun,
  step,
} from "../../../test/helpers/planner-scenario.ts";
import { plannerWorld } from "../../../test/helpers/planner-world.ts";
import { doneStatus, praise, type RoleRequest, type RoleScript } from "../../../test/helpers/role-script.ts";
import { planCheck } from "../../domain/run/checks/adopt.ts";
import { cancel, steer } from "../../domain/run/commands.ts";
import { followUp } from "../../domain/run/follow-up.ts";
import type { Run, RunId } from "../../domain/run/run.ts";
import { realEnv } from "../../main/env.ts";
import { createRun } from "../../runs/create-run.ts";
import { isWorkTainted } from "../../store/outcome/is-work-tainted.ts";

const world = await plannerWorld();
const user = await world.makeUser();
const planned = () => world.asked.filter(({ role }) => role === "planner");
const opening = () => planned()[0]?.prompt ?? "";
const wanted = "Now also write a letter to the parish";

const toolTexts = (asked: RoleRequest | undefined): string =>
  (asked?.request.messages ?? []).flatMap(({ role, text }) => (role === "tool" ? [text] : [])).join("\n");

async function finish(run: Run, script: RoleScript): Promise<Run> {
  world.script(script);
  const worker = world.work(world.engine, { prover: world.prover });
  const ended = await world.until(run.id, "completed", "stopped", "failed");
  await worker.close();
  return ended;
}

const begin = (over: Partial<Run> = {}) =>
  world.create(user, { objective, checks: [planCheck], deliverables: [], ...over });

async function followed(old: Run, script: RoleScript, text = wanted): Promise<Run> {
  const answer = followUp(old, realEnv.newId() as RunId, { objective: text });
  if (!answer.isDone) throw new Error(answer.why);
  const { move } = answer;
  return finish(await world.store.transaction((tx) => createRun(tx, move, { maxConcurrentRuns: 3 })), script);
}

/** Opens everything that its opening names, writes a letter, and says that it is done. */
const letter: RoleScript = (asked) => {
  const { role, prompt } = asked;
  if (role === "summary") return "The letter is written. ".repeat(6);
  if (role === "judge") return praise(prompt);
  const [, section = ""] = prompt.split("## The run before this one");
  const ids = [...section.matchAll(/^- document ([0-9a-f-]{36}) "[^"]*"(?: \(created.*)?$/gm)].map(([, id = ""]) => id);
  const content = `# Goal\n\n${hallWords}`;
  const [, made = ""] = /Made the document ([0-9a-f-]{36})/.exec(toolTexts(asked)) ?? [];
  return [
    { tool_calls: [call("list_projects", {}), ...ids.map((id) => call("get_document", { id }))], status: null },
    { tool_calls: [call("create_document", { title: "Letter", content, ...inProject(prompt) })], status: null },
    {
      plan: { steps: [step("s1", "done", [made])] },
      deliverables: [{ id: "d1", title: "A letter" }],
      checks: [{ ...pageCheck, title_like: "letter" }],
      status: { ...doneStatus, primary_output: "Letter" },
    },
  ];
};

test("the planner of a follow-up is told what the run before it was asked for, made and left", async () => {
  const run = await begin();
  await world.command(run, (now) => steer(now, "It has to have a kitchen"));
  const old = await finish(run, pageRun);
  expect(old.state.status).toBe("completed");
  await followed(old, letter);
  expect(opening()).toContain(`## The user's objective\n> ${wanted}`);
  const [, section = ""] = /## The run before this one\n([\s\S]*?)\n\n## Where you work/.exec(opening()) ?? [];
  expect(section).toContain(`> ${objective}`);
  expect(section).toContain("> It has to have a kitchen");
  expect(section).toContain("It was completed.");
  expect(section).toMatch(/^- document [0-9a-f-]{36} "The hall" \(created, the main result\)$/m);
  expect(section).toContain("It was asked for a page.");
  for (const note of ["Findings", "Scratchpad", "Plan"])
    expect(section).toMatch(new RegExp(`^- document [0-9a-f-]{36} "${note}"$`, "m"));
});

test.each(["global", "project"] as const)(
  "what a follow-up of a run over %s is told of, it can open with the usual tools",
  async (kind) => {
    const projectId = kind === "project" ? await world.makeProject(user) : null;
    const old = await finish(await begin(projectId === null ? {} : { scope: { kind: "project", projectId } }), pageRun);
    const run = await followed(old, letter);
    expect(run.state.status).toBe("completed");
    const read = toolTexts(planned()[1]);
    expect(read).toContain("Its rent is paid by the parish");
    expect(read).toContain("## Iteration 1");
    expect(read).not.toMatch(/There is no document|may only look/);
  },
);

test("a judge of a follow-up knows what was asked for before", async () => {
  await followed(await finish(await begin({ isJudged: true }), pageRun), letter);
  const judge = world.asked.find(({ role }) => role === "judge");
  expect(judge?.prompt).toMatch(new RegExp(`> ${wanted}[\\s\\S]*> ${objective}`));
});

test("what the user said to a run that never took it up is told, too", async () => {
  const run = await begin();
  await world.command(run, (now) => steer(now, "Only on Saturdays"));
  await world.command(run, cancel);
  await followed(await world.find(run.id), letter);
  expect(opening()).toContain("The user canceled it before it was done.");
  expect(opening()).toContain("> Only on Saturdays");
});

test("of results that were taken back, the planner is told so", async () => {
  const old = await finish(await begin(), pageRun);
  await world.admin.query("update homework.homework_runs set undone_at = now() where id = $1", [old.id]);
  await followed(old, letter);
  expect(opening()).toContain("After that the user took back everything that it wrote");
});

test("a follow-up of a follow-up knows the whole line", async () => {
  const first = await begin();
  await world.command(first, (now) => steer(now, "It has to have a kitchen"));
  const second = await followed(await finish(first, pageRun), letter);
  await followed(second, letter, "And one to the mayor");
  expect(opening()).toMatch(new RegExp(`> ${wanted}\\n[^>]*earlier runs[^>]*\\n> ${objective}`));
  expect(opening()).toContain("> It has to have a kitchen");
});

test("a follow-up of a run that read words of strangers has read them", async () => {
  const clean = await finish(await begin(), pageRun);
  const tainted = await finish(await begin(), pageRun);
  await world.admin.query(
    `update homework.journal_entries set result = jsonb_set(result, '{result,hasReadUntrusted}', 'true')
      where run_id = $1 and key = 'memory'`,
    [tainted.id],
  );
  const isTainted = ({ id }: Run) => world.db.asUser({ userId: user }, (tx) => isWorkTainted(tx, id));
  expect(await isTainted(await followed(clean, letter))).toBe(false);
  expect(await isTainted(await followed(tainted, letter))).toBe(true);
});

test("an objective that was not the user's own stands between fences", async () => {
  const old = await begin();
  await world.admin.query("update homework.homework_runs set began_untrusted = true where id = $1", [old.id]);
  await world.command(old, cancel);
  await followed(await world.find(old.id), letter);
  expect(opening()).not.toContain(`> ${objective}`);
  expect(opening()).toMatch(new RegExp(`<<<untrusted \\w+ from "an objective that a model wrote">>>\\n${objective}`));
});
