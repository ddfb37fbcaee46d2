// The documents that agents without a repository leave: what people change in them stays.

import { expect, test } from "vitest";
import { agentWorld, scriptAgent } from "../../../test/helpers/agent-world.ts";
import type { Run } from "../../domain/run/run.ts";

const world = await agentWorld();
const done = 'touch "$JRUN_TASK_FOLDER/DONE"; echo finished';

type Row = { readonly id: string; readonly title: string; readonly content: string };

/** Those that the runs have made, the oldest first. */
async function documentsOf(...runs: readonly Run[]): Promise<readonly Row[]> {
  const { rows } = await world.admin.query<Row>(
    "select id, title, content from homework.onto_documents where created_by_run = any ($1) order by created_at, id",
    [runs.map(({ id }) => id)],
  );
  return rows;
}

/** As a person: no run is named in the history. */
const edit = ({ id }: Row, content: string) =>
  world.as(world.user, (tx) =>
    tx.updateTable("onto_documents").set({ content }).where("id", "=", id).executeTakeFirstOrThrow(),
  );

const texts = (rows: readonly Row[]) => rows.map(({ title, content }) => [title, content]);

async function begin(): Promise<{ readonly run: Run; readonly made: Row }> {
  const run = await world.createRun();
  await world.step(run, [scriptAgent('echo "# Greeting" > greeting.md; echo not yet')]);
  const [made] = await documentsOf(run);
  if (made === undefined) throw new Error("no document was made");
  return { run, made };
}

test("what a person changes between iterations stays; a file that changes afterwards becomes a document beside it", async () => {
  const { run, made } = await begin();
  await edit(made, "Mine");
  await world.step(run, [scriptAgent("echo two > two.bin; echo not yet")]);
  expect(texts(await documentsOf(run))).toEqual([["Greeting", "Mine"]]);
  await world.step(run, [scriptAgent(`echo more >> greeting.md; ${done}`)]);
  expect(texts(await documentsOf(run))).toEqual([
    ["Greeting", "Mine"],
    ["Greeting (the run's version)", "# Greeting\nmore\n"],
  ]);
  const { rows } = await world.admin.query("select report from homework.homework_runs where id = $1", [run.id]);
  expect(rows[0].report.summary).toContain("“Greeting” was changed by somebody else and stays as it is");
});

test("what a person changes before a follow-up stays; the document beside it is the follow-up's from then on", async () => {
  const { run, made } = await begin();
  await world.step(run, [scriptAgent(done)]);
  await edit(made, "Mine");
  const next = await world.createRun({ followsRunId: run.id });
  await world.step(next, [scriptAgent("echo more >> greeting.md; echo not yet")]);
  await world.step(next, [scriptAgent(`echo end >> greeting.md; ${done}`)]);
  expect(texts(await documentsOf(run, next))).toEqual([
    ["Greeting", "Mine"],
    ["Greeting (the run's version)", "# Greeting\nmore\nend\n"],
  ]);
});

test("a document that nobody else has changed is kept up to date, also by a follow-up of a follow-up", async () => {
  const { run, made } = await begin();
  await world.step(run, [scriptAgent(`echo more >> greeting.md; ${done}`)]);
  const second = await world.createRun({ followsRunId: run.id });
  await world.step(second, [scriptAgent(`echo x > x.bin; ${done}`)]);
  const third = await world.createRun({ followsRunId: second.id });
  await world.step(third, [scriptAgent(`echo end >> greeting.md; ${done}`)]);
  expect(await documentsOf(run, second, third)).toEqual([{ ...made, content: "# Greeting\nmore\nend\n" }]);
});
