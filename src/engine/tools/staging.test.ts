import { sql } from "kysely";
import { expect, test } from "vitest";
import { z } from "zod";
import { idIn, stage, stagingWorld, toolBase, wrote } from "../../../test/helpers/staging-world.ts";
import { realEnv } from "../../main/env.ts";
import { findEntity } from "../../store/entity/entity-store.ts";
import { defineWrite } from "../../tools/define-tool.ts";
import { askAboutStaged, overStagedWrites, stageToolWrite } from "./staging.ts";

const world = await stagingWorld();
const { attempt, writes, hash, make, find, now, runId } = world;

const insertTask = (id: string, project: string, title: string) =>
  sql`insert into onto_tasks (id, project_id, title) values (${id}::uuid, ${project}::uuid, ${title})`;

test("staging writes nothing at all, and keeps what would be written", async () => {
  const task = await make("task", "Buy tiles");
  const before = await hash();
  const staging = await attempt();
  const made = await stage(staging, "tool:0", "create_document", { title: "Plan", content: "Red\ntiles" }, "Because");
  const changed = await stage(staging, "tool:1", "update_task", { id: task, state: "done" });
  const binned = await stage(staging, "tool:2", "bin_task", { id: task });
  expect([made.ok, changed.ok, binned.ok]).toEqual([true, true, true]);
  expect(made.text).toContain("NOT written yet");
  expect(await hash()).toBe(before);
  const kept = await writes();
  expect(kept.map(({ position, tool, state, why }) => [position, tool, state, why])).toEqual([
    [1, "create_document", "pending", "Because"],
    [2, "update_task", "pending", ""],
    [3, "bin_task", "pending", ""],
  ]);
  const shown = kept.flatMap(({ changes }) =>
    changes.map((change) => [change.op, change.kind, change.title, change.before?.state_key, change.after.state_key]),
  );
  expect(shown).toEqual([
    ["created", "document", "Plan", undefined, "draft"],
    ["updated", "task", "Buy tiles", "todo", "done"],
    ["deleted", "task", "Buy tiles", "done", "done"],
  ]);
  expect(kept[0]?.changes[0]?.after).toMatchObject({ content: "Red\ntiles", created_by_run: runId(), version: 1 });
});

test("a refusal is answered as it is, and nothing waits", async () => {
  const outcome = await stage(await attempt(), "tool:0", "update_task", { id: realEnv.newId(), state: "done" });
  expect(outcome).toMatchObject({ ok: false, code: "not_found" });
  expect(await writes()).toEqual([]);
});

test("a tool that breaks leaves nothing behind, and the next one works", async () => {
  const staging = await attempt();
  await expect(stage(staging, "tool:0", "break_it", {})).rejects.toThrow("it broke");
  expect((await stage(staging, "tool:1", "create_task", { title: "One" })).ok).toBe(true);
  expect(await writes()).toHaveLength(1);
});

test("a write on top of one that waits is tried on top of it, and only its own changes are its own", async () => {
  const staging = await attempt();
  const before = await hash();
  const id = idIn(await stage(staging, "tool:0", "create_document", { title: "Plan", content: "One" }));
  expect((await stage(staging, "tool:1", "append_document", { id, text: "Two" })).ok).toBe(true);
  const [, second] = await writes();
  expect(second?.changes).toMatchObject([
    { op: "updated", entityId: id, before: { content: "One" }, after: { content: "One\n\nTwo" } },
  ]);
  expect(await hash()).toBe(before);
});

test("one that waits and cannot be done any more is left out of what the next is tried on", async () => {
  const [gone, there] = [await make("task", "Gone"), await make("task", "There")];
  const staging = await attempt();
  await stage(staging, "tool:0", "update_task", { id: gone, state: "done" });
  await world.admin.query("update homework.onto_tasks set deleted_at = now() where id = $1", [gone]);
  const before = await hash();
  expect((await stage(staging, "tool:1", "update_task", { id: there, state: "done" })).ok).toBe(true);
  expect((await writes()).map(({ changes }) => changes.map(({ entityId }) => entityId))).toEqual([[gone], [there]]);
  expect(await hash()).toBe(before);
});

test("what the database refuses takes nothing with it, and leaves nothing of what waits", async () => {
  const link = { src_id: await make("task", "A"), rel: "supports", dst_id: await make("goal", "B") };
  const staging = await attempt();
  await stage(staging, "tool:0", "create_task", { title: "Waiting" });
  await stage(staging, "tool:1", "link", link);
  const before = await hash();
  expect(await stage(staging, "tool:2", "link", link)).toMatchObject({ ok: false, code: "conflict" });
  expect(await hash()).toBe(before);
  expect(await writes()).toHaveLength(2);
});

test("what a write does to one thing in several steps is one change", async () => {
  await stage(await attempt(), "tool:0", "replace_task", { id: await make("task", "Old") });
  const [write] = await writes();
  expect(write?.changes.map(({ op, title, before }) => [op, title, before?.title])).toEqual([
    ["created", "New", undefined],
    ["deleted", "Old", "Old"],
  ]);
});

test("a link is shown by what it joins", async () => {
  const link = { src_id: await make("task", "A"), rel: "supports", dst_id: await make("goal", "B") };
  await stage(await attempt(), "tool:0", "link", link);
  expect((await writes())[0]?.changes).toMatchObject([{ op: "created", kind: "edge", title: "A supports B" }]);
});

test("what others of the same run commit meanwhile is not taken for part of it", async () => {
  const tool = defineWrite<object>({
    ...toolBase("meanwhile"),
    write: async (tx, context) => {
      const identity = { userId: now.user, runId: runId() };
      await world.db.asUser(identity, (other) => insertTask(realEnv.newId(), now.project, "Another's").execute(other));
      await insertTask(context.newId(), now.project, "Mine").execute(tx);
      return wrote("");
    },
  });
  await stageToolWrite({ ...(await attempt()), tool, args: {}, key: "tool:0" });
  expect((await writes())[0]?.changes.map(({ title }) => title)).toEqual(["Mine"]);
});

test("reads can see what waits", async () => {
  const staging = await attempt();
  const id = idIn(await stage(staging, "tool:0", "create_task", { title: "Waiting" }));
  const seen = await world.db.asUser({ userId: now.user, runId: runId() }, (tx) =>
    overStagedWrites(tx, staging, () => findEntity(tx, "task", now.project, id)),
  );
  expect([seen?.title, await find("task", id)]).toEqual(["Waiting", null]);
});

test("another attempt gets the journaled answer, and one write waits", async () => {
  const first = await stage(await attempt(), "tool:0", "create_task", { title: "Once" });
  const second = await stage(await attempt(), "tool:0", "create_task", { title: "Once" });
  expect(second).toEqual(first);
  expect(await writes()).toHaveLength(1);
});

test("whoever lost the run in the middle has staged nothing; the next attempt stages it once", async () => {
  const staging = await attempt();
  const next = await attempt();
  await expect(stage(staging, "tool:0", "create_task", { title: "Once" })).rejects.toMatchObject({
    by: { kind: "lost" },
  });
  expect(await writes()).toEqual([]);
  await stage(next, "tool:0", "create_task", { title: "Once" });
  expect(await writes()).toHaveLength(1);
});

test("executors that end at the same moment each get a place of their own", async () => {
  const other = await world.makeProject(now.user);
  const scope = "update homework.homework_runs set scope = 'multi_project', project_ids = $2 where id = $1";
  await world.admin.query(scope, [runId(), [now.project, other]]);
  const meet = Promise.withResolvers<void>();
  let arrived = 0;
  // In projects of their own, so that neither waits for the other's history.
  const tool = defineWrite<{ project: string }>({
    ...toolBase("meet"),
    args: z.object({ project: z.string() }),
    write: async (tx, context, { project }) => {
      await insertTask(context.newId(), project, "Mine").execute(tx);
      arrived += 1;
      if (arrived === 2) meet.resolve();
      await meet.promise;
      return wrote("");
    },
  });
  const staging = await attempt();
  const both = [now.project, other].map((project, n) =>
    stageToolWrite({ ...staging, tool, args: { project }, key: `exec:${n}/tool:0` }),
  );
  expect((await Promise.all(both)).map(({ ok }) => ok)).toEqual([true, true]);
  expect((await writes()).map(({ position }) => position)).toEqual([1, 2]);
});

/** Inserts this many pending writes of an unknown tool: staging them one by one takes long. */
async function insertMore(count: number, content: string): Promise<void> {
  await world.admin.query(
    `insert into homework.homework_run_changes
       (run_id, id, position, iteration, entry_key, seed_iteration, seed_key, tool, args, why, changes, state, note)
     select $1, gen_random_uuid(), 1000 + n, 1, 'more:' || n, 1, 'more:' || n, 'no_such_tool', '{}', '',
            jsonb_build_array(jsonb_build_object('op', 'created', 'kind', 'task', 'projectId', $2::text, 'entityId', $2::text,
              'title', 'More', 'before', null, 'after', jsonb_build_object('content', $3::text))), 'pending', ''
       from generate_series(1, $4::int) n`,
    [runId(), now.project, content, count],
  );
}

test("no more than a hundred wait, and when they are decided there is room again", async () => {
  const staging = await attempt();
  await insertMore(99, "");
  expect((await stage(staging, "tool:0", "create_task", { title: "The hundredth" })).ok).toBe(true);
  const refused = await stage(staging, "tool:1", "create_task", { title: "One too many" });
  expect(refused).toMatchObject({ ok: false, code: "unavailable" });
  expect(await writes("pending")).toHaveLength(100);
  await world.decideAll("reject");
  expect((await stage(staging, "tool:2", "create_task", { title: "Now" })).ok).toBe(true);
});

test("no more than 32 MB wait", async () => {
  const staging = await attempt();
  await insertMore(1, "x".repeat(31 * 1024 * 1024));
  expect((await stage(staging, "tool:0", "create_task", { title: "Short" })).ok).toBe(true);
  const long = { title: "Long", content: "x".repeat(1024 * 1024) };
  expect(await stage(staging, "tool:1", "create_document", long)).toMatchObject({ ok: false, code: "unavailable" });
});

test("the question names what waits, and there is none where nothing does", async () => {
  expect(await askAboutStaged(await attempt())).toBeNull();
  const staging = await attempt(2);
  await stage(staging, "tool:0", "create_task", { title: "Buy tiles" });
  const question = await askAboutStaged(staging);
  expect(question).toMatchObject({ id: "approve_writes", kind: "approve_writes" });
  expect(question?.text).toContain("1. Create task “Buy tiles”");
});
