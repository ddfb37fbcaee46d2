import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeClaim } from "../../test/helpers/make-run.ts";
import { contentScript, outcomeWorld } from "../../test/helpers/outcome-world.ts";
import { scriptedEngine } from "../../test/helpers/scripted-engine.ts";
import { onServer } from "../../test/helpers/test-db.ts";
import { collisionsIn } from "../../test/helpers/whole-database.ts";
import { realEnv } from "../main/env.ts";
import { createEntity } from "../store/entity/entity-store.ts";
import { enqueueDueTurns } from "../store/outcome/due-turns.ts";
import { findOutcomeViolations } from "../store/outcome/outcome-invariants.ts";
import { findViolations } from "../store/run/run-invariants.ts";
import { enqueueDueRuns } from "../store/run/run-store.ts";
import type { Tx } from "./database.ts";
import { dump } from "./dump.ts";
import { restore } from "./restore.ts";

const world = await outcomeWorld();
const folder = mkdtempSync(path.join(tmpdir(), "homework-dump-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, "midway.gz");

const claims = makeClaim();
const writesAPage = (projectId: string) =>
  scriptedEngine<Tx>(
    () => ({ writes: ["a page"], ends: { claim: claims } }),
    async (tx, { run }, title) => {
      const id = realEnv.newId();
      const made = { id, projectId, by: run.userId };
      await createEntity(tx, "document", made, { title, content: `Text of ${title}` });
      return { kind: "document", id };
    },
  );

test("an outcome that was dumped midway is restored midway: its runs finish, it is observed, reviewed and achieved", async () => {
  const user = await world.makeUser();
  const engine = writesAPage(await world.makeProject(user));
  const id = await world.open(user, [{}, { dependsOn: [1] }, { dependsOn: [2] }]);
  const before = world.workOn(engine, contentScript);
  await world.start(id);
  await world.untilOutcome(id, ({ tasks }) => tasks.some(({ status }) => status === "completed"));
  await before.close();
  await onServer(world.adminUrl, (client) => dump(client, file));

  const lost = world.workOn(engine, contentScript);
  await world.untilOutcome(id, ({ outcome }) => outcome.status === "achieved");
  await lost.close();
  await onServer(world.adminUrl, (client) => restore(client, file, true));
  expect((await world.read(id)).outcome.status).toBe("active");

  await world.queue.clear();
  await enqueueDueRuns(world.db, world.queue);
  await enqueueDueTurns(world.db, world.queue);
  const after = world.workOn(engine, contentScript);
  await world.untilOutcome(id, ({ outcome }) => outcome.status === "achieved");
  await after.close();
  expect(await world.countObservations(id)).toEqual(["1:1:model", "2:1:model", "3:1:model"]);
  expect([await findOutcomeViolations(world.db), await findViolations(world.db, null)]).toEqual([[], []]);
  expect(await onServer(world.adminUrl, collisionsIn)).toEqual([]);
});
