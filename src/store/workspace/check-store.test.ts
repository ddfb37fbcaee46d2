import { sql } from "kysely";
import { expect, test } from "vitest";
import { storeWorld } from "../../../test/helpers/store-world.ts";
import type { RunId } from "../../domain/run/run.ts";
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
  expect(await find({ ownAtMost: 10 })).toEqual([]);
});

test.for(["t", "ti", "til", "BUY TILES", "buy tiles", "y t"])("a part of a title is found: %s", async (titleLike) => {
  expect(await find({ titleLike, projectIds: [project] })).toEqual(["Buy tiles"]);
});

test.for(["tails", "tiles buy", "%", "_uy", "tiles\\", "buy  tiles"])(
  "what is no part of it is not: %s",
  async (titleLike) => {
    expect(await find({ titleLike, projectIds: null })).toEqual([]);
  },
);

test("letters that change their length in small are found too", async () => {
  await world.makeEntity(user, project, "task", "İSTANBUL Straße 東京へ行く");
  for (const titleLike of ["stanbul", "straße", "東京へ", "京へ行", "行"])
    expect([titleLike, await find({ titleLike, projectIds: [project] })]).toEqual([
      titleLike,
      ["İSTANBUL Straße 東京へ行く"],
    ]);
});

test("nobody else's are found, whatever they are called and whichever project is named", async () => {
  const other = await world.makeUser();
  const theirs = await world.makeProject(other);
  await world.makeEntity(other, theirs, "task", "Buy tiles of theirs");
  expect(await find({ titleLike: "of theirs", projectIds: null })).toEqual([]);
  expect(await find({ titleLike: "of theirs", projectIds: [theirs] })).toEqual([]);
});

test("a title is looked up in its index, however many there are", async () => {
  await sql`insert into onto_tasks (id, project_id, title) select gen_random_uuid(), ${project}, 'Numbered ' || n
              from generate_series(1, 3000) n`.execute(world.db.system);
  await world.admin.query("analyze homework.onto_tasks");
  const { rows } = await sql<{ "QUERY PLAN": string }>`
    explain select id from onto_tasks where title_grams(title) @> title_grams('Numbered 2999') and deleted_at is null`.execute(
    world.db.system,
  );
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("onto_tasks_grams");
  expect(await find({ titleLike: "numbered 2999", projectIds: null })).toEqual(["Numbered 2999"]);
});
