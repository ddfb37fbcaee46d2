// Runs that people answered by hand, seeing nothing but the requests, played again: as many calls as then, the same end, and
// everything the user said in every prompt that came after it.

import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { planCheck } from "../../src/domain/run/checks/adopt.ts";
import { respond, steer } from "../../src/domain/run/commands.ts";
import type { Run } from "../../src/domain/run/run.ts";
import { judge } from "../../src/engine/judge.ts";
import { plannerEngine } from "../../src/engine/planner/planner-engine.ts";
import { storeProver } from "../../src/engine/prove.ts";
import { realEnv } from "../../src/main/env.ts";
import { createEntity } from "../../src/store/entity/entity-store.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import { runWorld } from "../helpers/run-world.ts";
import type { Lab } from "../lab/lab.ts";
import { labModels } from "../lab/lab-models.ts";
import { replayRecording } from "../lab/replay-recording.ts";
import { type Scene, scenes } from "./scenes.ts";

const world = await runWorld();
const labs: Lab[] = [];
afterAll(async () => {
  for (const lab of labs) await lab.close();
});

type Played = {
  readonly run: Run;
  /** What was sent, as text, in order. */
  readonly prompts: readonly string[];
  readonly difference: string | null;
};

async function play(scene: Scene): Promise<Played> {
  const user = await world.makeUser();
  const projectId = await world.makeProject(user);
  await world.as(user, async (tx) => {
    for (const [title, content] of scene.documents)
      await createEntity(tx, "document", { id: realEnv.newId(), projectId, by: user }, { title, content });
    for (const title of scene.tasks ?? [])
      await createEntity(tx, "task", { id: realEnv.newId(), projectId, by: user }, { title });
  });
  let run: Run | null = null;
  const { lab, difference } = await replayRecording(
    fileURLToPath(new URL(`recordings/${scene.name}/`, import.meta.url)),
    {
      before: async (name) => {
        if (run && scene.guidance?.before === name)
          await world.command(run, (now) => steer(now, scene.guidance?.text ?? ""));
      },
    },
  );
  labs.push(lab);
  const { models } = labModels(lab, ["openai-compatible/by-hand"]);
  const deps = { db: world.db, models, registry: makeRegistry(builtInTools), env: realEnv };
  const worker = world.work(plannerEngine(deps), {
    prover: storeProver(world.db, { judge: (...args) => judge(deps, ...args) }),
  });
  run = await world.create(user, {
    objective: scene.objective,
    scope: { kind: "project", projectId },
    checks: [planCheck],
    deliverables: [],
    isJudged: true,
    permission: { writeMode: scene.writeMode ?? "autopilot", allowedTools: null },
    budget: { ...defaultBudget, maxIterations: scene.maxIterations ?? 20 },
  });
  const answers = [...(scene.answers ?? [])];
  for (;;) {
    run = await world.until(run.id, "completed", "stopped", "failed", "waiting_on_user");
    if (run.state.status !== "waiting_on_user") break;
    const text = answers.shift();
    if (text === undefined) break;
    const given = run.state.questions.map(({ id }) => ({ questionId: id, text }));
    await world.command(run, (now) => respond(now, given));
  }
  await worker.close();
  const prompts = lab.requests.map(({ system, messages }) => [system, ...messages.map(({ text }) => text)].join("\n"));
  return { run, prompts, difference: difference() };
}

/** From the prompt that first holds it on, every one does. */
function standsFrom(prompts: readonly string[], words: string): number {
  const first = prompts.findIndex((prompt) => prompt.includes(words));
  expect(first).toBeGreaterThan(0);
  expect(prompts.slice(first).filter((prompt) => !prompt.includes(words))).toEqual([]);
  return first;
}

test("a paper with guidance in the middle is done only with the guidance", async () => {
  const { run, prompts, difference } = await play(scenes.roof);
  expect(difference).toBeNull();
  expect(run.state).toMatchObject({ status: "completed", iteration: 2 });
  standsFrom(prompts, "the new ventilation unit");
});

test("what cannot be finished is not called finished", async () => {
  const { run, prompts, difference } = await play(scenes.book);
  expect(difference).toBeNull();
  expect(run.state).toMatchObject({ status: "stopped", reason: "max_iterations" });
  expect(run.lastProofs.filter(({ isGreen }) => !isGreen).length).toBeGreaterThan(3);
  standsFrom(prompts, "prepare a page of questions for Mrs Adler");
});

test("notes become tasks in one iteration, read by the judge beside the notes", async () => {
  const { run, prompts, difference } = await play(scenes.festival);
  expect(difference).toBeNull();
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  expect(prompts.at(-1)).toContain("someone must ask the association");
});

test("a change request changes the checks, and the work is measured by the changed ones", async () => {
  const { run, prompts, difference } = await play(scenes.garden);
  expect(difference).toBeNull();
  expect(run.state).toMatchObject({ status: "completed" });
  const [page] = run.checks.filter(({ target }) => target.kind === "document_has");
  expect(page?.target).toMatchObject({ headings: ["Winter", "Spring", "Summer", "Autumn"], wordsAtMost: 400 });
  standsFrom(prompts, "leave the swing out");
});

test("a small e-mail takes one iteration, three calls and no executor", async () => {
  const { run, prompts, difference } = await play(scenes.invitation);
  expect(difference).toBeNull();
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  expect(prompts).toHaveLength(3);
});

test("a paper of two pages takes one iteration and three calls, with a judge of its own", async () => {
  const { run, prompts, difference } = await play(scenes.school);
  expect(difference).toBeNull();
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  expect(prompts).toHaveLength(3);
});

test("of three deliverables the user wants one other and one not at all: the checks follow, once approved", async () => {
  const { run, prompts, difference } = await play(scenes.concert);
  expect(difference).toBeNull();
  expect(run.state).toMatchObject({ status: "completed", iteration: 3 });
  const pages = run.checks.filter(({ target }) => target.kind === "document_has");
  expect(pages.map(({ target }) => target)).toMatchObject([{ wordsAtLeast: 0, wordsAtMost: 300 }]);
  standsFrom(prompts, "rehearse on Tuesdays at 18:00");
  // With the plan the user was asked what the planner would else have asked at the end.
  expect(prompts[1]).toContain("It would also like to know:");
});

test("what the user says while the judge reads is taken up, and the judge reads again", async () => {
  const { run, prompts, difference } = await play(scenes.canteen);
  expect(difference).toBeNull();
  expect(run.state).toMatchObject({ status: "completed", iteration: 2 });
  expect(standsFrom(prompts, "rent us a combi oven")).toBe(3);
  // The judge's points, whole and once, though they stand for two deliverables.
  expect(prompts[3]?.split("It is the main difference in kind")).toHaveLength(2);
  expect(prompts[3]).toContain("or that the application is only made if Kaya is chosen");
  // What the run has written stands there, too, and need not be opened again.
  expect(prompts[3]).toContain("Why Bruns: families pay 0.50 EUR less per meal");
});

test("a list that the user wants as tasks becomes tasks, and the check follows", async () => {
  const { run, prompts, difference } = await play(scenes.letter);
  expect(difference).toBeNull();
  expect(run.state).toMatchObject({ status: "completed", iteration: 2 });
  expect(standsFrom(prompts, "put the list for us into tasks")).toBe(2);
  expect(run.checks.map(({ target }) => target)).toContainEqual(
    expect.objectContaining({ kind: "entity_count", entity: "task" }),
  );
});

test("with its own paper before it, the second iteration takes one call", async () => {
  const { run, prompts, difference } = await play(scenes.workshop);
  expect(difference).toBeNull();
  expect(run.state).toMatchObject({ status: "completed", iteration: 2 });
  expect(standsFrom(prompts, "if we also sweep the hall")).toBe(3);
  expect(prompts).toHaveLength(5);
});
