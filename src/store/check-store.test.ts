import { expect, test } from "vitest";
import { storeWorld } from "../../test/helpers/store-world.ts";
import type { RunId } from "../domain/run/run.ts";
import { findThings } from "./check-store.ts";

const world = await storeWorld();
const user = await world.makeUser();
const project = await world.makeProject(user);
const elsewhere = await world.makeProject(user);
const id = await world.makeEntity(user, project, "task", "Buy tiles");
await world.makeEntity(user, elsewhere, "task", "Buy tiles elsewhere");
const runId = "00000000-0000-7000-8000-000000000001" as RunId;

const find = (where: Parameters<typeof findThings>[3]) =>
  world.as(user, (tx) => findThings(tx, runId, "task", where)).then((found) => found.map(({ title }) => title));

test("a thing that no run has ever touched is found by its title, and is not this run's", async () => {
  const found = await world.as(user, (tx) =>
    findThings(tx, runId, "task", { titleLike: "tiles", projectIds: [project] }),
  );
  expect(found).toEqual([{ kind: "task", id, title: "Buy tiles", state: expect.any(String), isOfRun: false }]);
});

test("in the projects that are named, and everywhere where none are", async () => {
  expect(await find({ titleLike: "tiles", projectIds: [elsewhere] })).toEqual(["Buy tiles elsewhere"]);
  expect(await find({ titleLike: "tiles", projectIds: null })).toHaveLength(2);
});

test("of things without a title or an id in question, only the run's own count", async () => {
  expect(await find({})).toEqual([]);
});
