// What a run does in the chaos of effects: in each of two iterations a process of its own, whose result it writes down once.

import type { Tx } from "../../src/db/database.ts";
import type { Engine } from "../../src/runs/ports/engine.ts";
import { createEntity } from "../../src/store/entity/entity-store.ts";
import { makeCheck, makeClaim } from "../helpers/make-run.ts";
import { type ScriptedIteration, scriptedEngine } from "../helpers/scripted-engine.ts";
import { lastingProcess } from "./lasting-process.ts";

const iterations = 2;

/** How long its processes work: some have ended when they are adopted, some have not. */
export const objectiveOf = (number: number, seconds: number) => `Effects run ${number} of ${seconds} seconds`;
const secondsOf = (objective: string) => Number(/of ([\d.]+) seconds$/.exec(objective)?.[1]);

export function effectsEngine(root: string): Engine<Tx> {
  return {
    iterate: async (input, journal) => {
      const { run } = input;
      const done = await journal.startOrAdopt("process", lastingProcess(root, secondsOf(run.objective)));
      const title = `${run.id} iteration ${run.state.iteration}: ${done.kind === "done" ? done.result : done.kind}`;
      const ends: ScriptedIteration["ends"] =
        run.state.iteration < iterations ? { proposed: proposal } : { claim: makeClaim() };
      const scripted = scriptedEngine<Tx>(
        () => ({ writes: [title], ends }),
        async (tx) => {
          const id = crypto.randomUUID();
          const projectId = run.scope.kind === "project" ? run.scope.projectId : "";
          await createEntity(tx, "document", { id, projectId, by: run.userId }, { title });
          return { kind: "document", id };
        },
      );
      return scripted.iterate(input, journal);
    },
  };
}

const proposal = { deliverables: [{ id: "report", title: "The pages" }], checks: [makeCheck()], drops: [], why: "" };
