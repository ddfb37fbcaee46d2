import { expect, test } from "vitest";
import { runWorld } from "../../../test/helpers/run-world.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { RunId } from "../../domain/run/run.ts";
import { readSources } from "./judged-work-store.ts";

const world = await runWorld();
const user = await world.makeUser();
const project = await world.makeProject(user);
const run = await world.create(user);

async function writeDocument(title: string, content: string, by: RunId | null = null): Promise<string> {
  const id = await world.makeEntity(user, project, "document", title);
  await world.admin.query("update homework.onto_documents set content = $2, created_by_run = $3 where id = $1", [
    id,
    content,
    by,
  ]);
  return id;
}

/** As if the session of an iteration had begun with these documents. */
async function open(runId: RunId, iteration: number, shown: readonly string[]): Promise<void> {
  const client = await world.admin.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    await client.query(
      `insert into homework.journal_entries (run_id, iteration, key, kind, state, fence, result, ended_at)
       values ($1, $2, 'opening', 'platform', 'done', 1, $3, now())`,
      [runId, iteration, { result: { shown } }],
    );
    await client.query("commit");
  } finally {
    client.release();
  }
}

const sourcesOf = (by: UserId, runId: RunId) =>
  world.as(by, (tx) => readSources(tx, runId)).then((sources) => sources.map(({ title }) => title));

test("a judge is shown what the run opened and did not write, as much as fits", async () => {
  const opened = [
    await writeDocument("Measurements", "8.4 m by 5.2 m"),
    await writeDocument("Its own draft", "A draft", run.id),
    await writeDocument("Too long by itself", "a".repeat(30_000)),
    await writeDocument("Long", "b".repeat(20_000)),
    await writeDocument("Long, too", "c".repeat(10_000)),
    await writeDocument("Prices", "189 euros"),
  ];
  await writeDocument("Never opened", "nothing");
  await open(run.id, 1, opened);
  expect(await sourcesOf(user, run.id)).toEqual(["Measurements", "Long", "Prices"]);
});

test("a document that the run changed is shown first, as a whole; what it was given, though it did not open it", async () => {
  const { id: runId } = await world.create(user);
  const opened = await writeDocument("Opened", "What it read");
  const given = await writeDocument("Given", "What another task made");
  const mended = await writeDocument("Mended", "All of it");
  await world.admin.query("update homework.onto_documents set updated_by_run = $2 where id = $1", [mended, runId]);
  await open(runId, 1, [opened, mended]);
  const sources = await world.as(user, (tx) => readSources(tx, runId, [given]));
  expect(sources).toEqual([
    { title: "Mended", text: "All of it", isChanged: true },
    { title: "Opened", text: "What it read", isChanged: false },
    { title: "Given", text: "What another task made", isChanged: false },
  ]);
});

test("a run that opened nothing has no sources", async () => {
  expect(await sourcesOf(user, (await world.create(user)).id)).toEqual([]);
});
