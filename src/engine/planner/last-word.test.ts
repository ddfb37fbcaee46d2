// What a model or the user has said counts, however the iteration ended in which it was said.

import { expect, test } from "vitest";
import { objective, pageRun } from "../../../test/helpers/planner-scenario.ts";
import { plannerWorld } from "../../../test/helpers/planner-world.ts";
import { doneStatus, type RoleScript, type ScriptedIteration } from "../../../test/helpers/role-script.ts";
import type { Tx } from "../../db/database.ts";
import { planCheck } from "../../domain/run/checks/adopt.ts";
import { respond } from "../../domain/run/commands.ts";
import type { Run } from "../../domain/run/run.ts";
import type { Engine, Journal } from "../../runs/ports/engine.ts";

const world = await plannerWorld();
const user = await world.makeUser();
const promptOf = (iteration: number) =>
  world.asked.find((asked) => asked.role === "planner" && asked.iteration === iteration)?.prompt ?? "";

async function play(script: RoleScript, over: Partial<Run> = {}) {
  world.script(script);
  const { id } = await world.create(user, { objective, checks: [planCheck], deliverables: [], ...over });
  const worker = world.work(world.engine, { prover: world.prover });
  const run = await world.until(id, "waiting_on_user", "completed", "stopped", "failed");
  await worker.close();
  return run;
}

test("a model that names what is missing while it says done is not overruled, however often its end is refused", async () => {
  const script: RoleScript = (asked) => {
    if (asked.role !== "planner" || asked.iteration < 3) return pageRun(asked);
    const said = pageRun({ ...asked, iteration: 3 }) as ScriptedIteration;
    const status = { ...doneStatus, remaining_work: ["the photographs"] };
    return [{ ...said, status }, ...Array.from({ length: 11 }, () => ({ status }))];
  };
  const run = await play(script);
  expect(run.state.status).toBe("stopped");
  expect(run.lastProofs.every(({ isGreen }) => isGreen)).toBe(true);
  expect(promptOf(4)).toContain("says that it is not done");
});

test("an approval that an iteration heard before it fell over counts in the next one", async () => {
  const permission = { writeMode: "approve_plan", allowedTools: null } as const;
  const later: RoleScript = (asked) =>
    pageRun({ ...asked, iteration: asked.role === "planner" ? Math.max(1, asked.iteration - 1) : asked.iteration });
  const waiting = await play(later, { permission });
  await world.command(waiting, (run) => respond(run, [{ questionId: "approve-plan", text: "approve" }]));
  const falling: Engine<Tx> = {
    ...world.engine,
    iterate: (input, journal) =>
      world.engine.iterate(input, input.run.state.iteration === 2 ? dying(journal) : journal),
  };
  const worker = world.work(falling, { prover: world.prover });
  const run = await world.until(waiting.id, "waiting_on_user", "completed", "stopped");
  await worker.close();
  expect(run.state.status).toBe("completed");
});

/** Fails where an iteration would leave its memory. */
const dying = (journal: Journal<Tx>): Journal<Tx> =>
  new Proxy(journal, {
    get: (target, name) => {
      const found = Reflect.get(target, name);
      if (typeof found !== "function") return found;
      const dies = (entry: unknown) => name === "write" && entry === "memory";
      return (...given: readonly unknown[]) =>
        dies(given[0]) ? Promise.reject(new Error("it fell over")) : found.apply(target, given);
    },
  });
