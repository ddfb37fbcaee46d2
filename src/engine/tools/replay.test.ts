import { expect, test } from "vitest";
import { idIn, stage, stagingWorld } from "../../../test/helpers/staging-world.ts";
import type { Tx } from "../../db/database.ts";
import type { StoredJournal } from "../../runs/journal.ts";
import { setEntityBinned } from "../../store/entity/entity-store.ts";
import { makeRegistry } from "../../tools/registry.ts";
import { replayApproved, type Staging } from "./staging.ts";

const world = await stagingWorld();
const { attempt, writes, decide, decideAll, replay, hash, make, find, edit, countTasks, now, runId } = world;

/** As the table has it, without the times at which it was written. */
async function rowOf(table: string, id: string): Promise<unknown> {
  const { rows } = await world.admin.query(
    `select to_jsonb(t) - 'search' - 'created_at' - 'updated_at' as row from homework.${table} t where id = $1`,
    [id],
  );
  return rows[0]?.row;
}
const withoutTimes = ({ created_at: _c, updated_at: _u, ...row }: Readonly<Record<string, unknown>>) => row;

test("what was approved is written byte for byte and in order, and what was rejected never", async () => {
  const task = await make("task", "Buy tiles");
  const staging = await attempt();
  const content = "Line\r\n\ttab “quotes” \u{1f600} e\u0301 ";
  const plan = { title: "Plan", content, props: { b: 1, a: [2.5, null] } };
  const id = idIn(await stage(staging, "tool:0", "create_document", plan));
  await stage(staging, "tool:1", "append_document", { id, text: "Two" });
  await stage(staging, "tool:2", "create_task", { title: "Never" });
  await stage(staging, "tool:3", "update_task", { id: task, title: "Bought tiles", state: "done" });
  const staged = await writes();
  await decide("reject", [staged[2]?.id ?? ""], "too dear");
  await decideAll("approve");
  const decided = await replay();
  expect(
    decided.map(({ kind, tool, summary, decision }) => [
      kind,
      tool,
      summary,
      decision.replace(/ \((document|task) [0-9a-f-]+\)$/, " ($1)"),
    ]),
  ).toEqual([
    ["applied", "create_document", "create document “Plan”", "approved, and written (document)"],
    ["applied", "append_document", "change document “Plan”", "approved, and written (document)"],
    ["applied", "update_task", "change task “Bought tiles”", "approved, and written (task)"],
    ["rejected", "create_task", "create task “Never”", "rejected, and never written: too dear"],
  ]);
  expect(await rowOf("onto_documents", id)).toEqual(withoutTimes(staged[1]?.changes[0]?.after ?? {}));
  expect(await rowOf("onto_tasks", task)).toEqual(withoutTimes(staged[3]?.changes[0]?.after ?? {}));
  const history = "select op, kind from homework.onto_changes where run_id = $1 order by seq";
  const { rows } = await world.admin.query(history, [runId()]);
  expect(rows.map(({ op, kind }) => `${op} ${kind}`)).toEqual(["created document", "updated document", "updated task"]);
  expect((await writes()).map(({ state }) => state)).toEqual(["applied", "applied", "rejected", "applied"]);
});

test("what was approved counts as work of the iteration that writes it", async () => {
  const id = idIn(await stage(await attempt(), "tool:0", "create_task", { title: "One" }));
  await decideAll("approve");
  const next = await attempt(2);
  await replayApproved(next);
  expect(next.journal.facts().artifacts).toEqual([{ kind: "task", id }]);
});

/** Lets so many writes of the journal through, then someone else takes the run. */
function dyingAfter(journal: StoredJournal<Tx>, writesLeft: number): Staging["journal"] {
  let left = writesLeft;
  const write: StoredJournal<Tx>["write"] = (key, work) =>
    journal.write(key, async (tx) => {
      const written = await work(tx);
      left -= 1;
      if (left < 0) await attempt(2);
      return written;
    });
  return new Proxy(journal, { get: (target, name) => (name === "write" ? write : Reflect.get(target, name, target)) });
}

test("it is written once, however often the iteration is tried, and every attempt is told the same", async () => {
  const staging = await attempt();
  for (const n of [0, 1, 2]) await stage(staging, `tool:${n}`, "create_task", { title: `Task ${n}` });
  await decideAll("approve");
  const dying = await attempt(2);
  await expect(replayApproved({ ...dying, journal: dyingAfter(dying.journal, 2) })).rejects.toMatchObject({
    by: { kind: "lost" },
  });
  expect(await countTasks()).toBe(1);
  const decided = await replay();
  expect(await countTasks()).toBe(3);
  expect(decided.map(({ kind }) => kind)).toEqual(["applied", "applied", "applied"]);
  expect(await replay()).toEqual(decided);
  expect(await countTasks()).toBe(3);
});

test("a rejection is told once", async () => {
  await stage(await attempt(), "tool:0", "create_task", { title: "Never" });
  await decideAll("reject");
  expect(await replay(2)).toHaveLength(1);
  expect(await replay(3)).toEqual([]);
  expect(await countTasks()).toBe(0);
});

test("what nobody decided on yet is not written", async () => {
  await stage(await attempt(), "tool:0", "create_task", { title: "Waiting" });
  expect(await replay()).toEqual([]);
  expect([await countTasks(), (await writes("pending")).length]).toEqual([0, 1]);
});

test("what a person edited meanwhile is asked again, with what is there now", async () => {
  const task = await make("task", "Buy tiles");
  await stage(await attempt(), "tool:0", "update_task", { id: task, description: "Red ones" }, "For the floor");
  await decideAll("approve");
  await edit("task", task, { title: "Buy stones" });
  const [line] = await replay();
  const why = "task “Buy tiles” was changed meanwhile: title “Buy tiles” → “Buy stones”";
  expect(line).toMatchObject({
    kind: "drifted",
    decision: `approved, but not written: ${why}. The user is asked again`,
  });
  expect(await find("task", task)).toMatchObject({ title: "Buy stones", description: "", version: 2 });
  const [old, asked] = await writes();
  expect([old, asked].map((write) => [write?.state, write?.note])).toEqual([
    ["drifted", why],
    ["pending", why],
  ]);
  expect(asked?.why).toBe("For the floor");
  expect(asked?.changes).toMatchObject([
    { before: { title: "Buy stones" }, after: { title: "Buy stones", description: "Red ones" } },
  ]);
  await decideAll("approve");
  expect(await replay(3)).toMatchObject([{ kind: "applied" }]);
  expect(await find("task", task)).toMatchObject({ title: "Buy stones", description: "Red ones" });
});

test.for([
  { tool: "update_document", args: { content: "Mine" }, kind: "gives up" },
  { tool: "append_document", args: { text: "Mine" }, kind: "asks again" },
])("$tool of a text that a person has changed meanwhile $kind", async ({ tool, args, kind }) => {
  const page = await make("document", "Plan");
  await edit("document", page, { content: "One" });
  await stage(await attempt(), "tool:0", tool, { id: page, ...args });
  await decideAll("approve");
  await edit("document", page, { content: "Theirs" });
  const [line] = await replay();
  expect(line).toMatchObject({ kind: "drifted" });
  expect(await find("document", page)).toMatchObject({ content: "Theirs" });
  const pending = await writes("pending");
  if (kind === "gives up")
    expect([line?.decision, pending]).toEqual([expect.stringContaining("put both together"), []]);
  else expect(pending).toMatchObject([{ changes: [{ after: { content: "Theirs\n\nMine" } }] }]);
});

test("an edit that was taken back is none", async () => {
  const task = await make("task", "Buy tiles");
  await stage(await attempt(), "tool:0", "update_task", { id: task, description: "Red ones" });
  await decideAll("approve");
  await edit("task", task, { title: "Buy stones" });
  await edit("task", task, { title: "Buy tiles" });
  expect(await replay()).toMatchObject([{ kind: "applied" }]);
  expect(await find("task", task)).toMatchObject({ description: "Red ones", version: 4 });
});

test("what cannot be done any more is given up, and said so", async () => {
  const task = await make("task", "Buy tiles");
  await stage(await attempt(), "tool:0", "update_task", { id: task, description: "Red ones" });
  await decideAll("approve");
  await world.as(now.user, (tx) => setEntityBinned(tx, "task", now.project, task, true));
  const before = await hash();
  const [line] = await replay();
  expect(line?.decision).toMatch(/^approved, but not written: .*It cannot be done like this any more$/s);
  expect(await hash()).toBe(before);
  expect((await writes()).map(({ state }) => state)).toEqual(["drifted"]);
});

test("someone who may not write there any more writes nothing", async () => {
  await stage(await attempt(), "tool:0", "create_task", { title: "One" });
  await decideAll("approve");
  const members = "homework.onto_project_members";
  const owner = await world.makeUser();
  await world.admin.query(`insert into ${members} (project_id, user_id, role) values ($1, $2, 'owner')`, [
    now.project,
    owner,
  ]);
  await world.admin.query(`update ${members} set role = 'viewer' where user_id = $1`, [now.user]);
  expect(await replay()).toMatchObject([{ kind: "drifted" }]);
  expect(await countTasks()).toBe(0);
});

test("what was approved on top of something rejected is asked again as it would be without it", async () => {
  const document = await make("document", "Plan");
  const staging = await attempt();
  await stage(staging, "tool:0", "append_document", { id: document, text: "One" });
  await stage(staging, "tool:1", "append_document", { id: document, text: "Two" });
  const [one] = await writes();
  await decide("reject", [one?.id ?? ""]);
  await decideAll("approve");
  expect((await replay()).map(({ kind }) => kind)).toEqual(["drifted", "rejected"]);
  expect((await find("document", document))?.content).toBe("");
  expect((await writes("pending"))[0]?.changes).toMatchObject([{ before: { content: "" }, after: { content: "Two" } }]);
});

test("a chain whose beginning drifted is asked again in its order, makes the same things, and then goes through", async () => {
  const old = await make("task", "Old");
  const staging = await attempt();
  const made = idIn(await stage(staging, "tool:0", "replace_task", { id: old }));
  await stage(staging, "tool:1", "update_task", { id: made, description: "Below it" });
  await decideAll("approve");
  await edit("task", old, { title: "Older" });
  expect((await replay()).map(({ kind }) => kind)).toEqual(["drifted", "drifted"]);
  expect(await find("task", made)).toBeNull();
  const asked = await writes("pending");
  expect(asked.map(({ changes }) => changes.map(({ entityId }) => entityId))).toEqual(
    [[made, old], [made]].map((ids) => expect.arrayContaining(ids)),
  );
  await decideAll("approve");
  expect((await replay(3)).map(({ kind }) => kind)).toEqual(["applied", "applied"]);
  expect(await find("task", made)).toMatchObject({ content: "Older", description: "Below it" });
});

test("what does not depend on what drifted is written", async () => {
  const document = await make("document", "Mine");
  const staging = await attempt();
  await stage(staging, "tool:0", "append_document", { id: document, text: "See the child" });
  const id = idIn(await stage(staging, "tool:1", "create_document", { title: "Child" }));
  await stage(staging, "tool:2", "append_document", { id, text: "One" });
  await decideAll("approve");
  await edit("document", document, { content: "My words" });
  expect((await replay()).map(({ kind }) => kind)).toEqual(["drifted", "applied", "applied"]);
  expect([(await find("document", id))?.content, (await find("document", document))?.content]).toEqual([
    "One",
    "My words",
  ]);
});

test("a tool that is gone writes nothing", async () => {
  await stage(await attempt(), "tool:0", "create_task", { title: "One" });
  await decideAll("approve");
  const [line] = await replayApproved({ ...(await attempt(2)), registry: makeRegistry([]) });
  expect(line?.decision).toContain("there is no tool create_task any more");
  expect(await countTasks()).toBe(0);
});

test("a tool that does something else by now writes nothing, and what it would do is asked", async () => {
  await stage(await attempt(), "tool:0", "create_task", { title: "One" });
  await decideAll("approve");
  const next = await attempt(2);
  const other: Staging["registry"] = {
    find: (name) => {
      const found = next.registry.find(name);
      if (!found.ok || found.tool.kind !== "write") return found;
      const { write } = found.tool;
      return {
        ok: true,
        tool: { ...found.tool, write: (tx, context, args) => write(tx, context, { ...args, title: "Two" }) },
      };
    },
  };
  expect(await replayApproved({ ...next, registry: other })).toMatchObject([{ kind: "drifted" }]);
  expect(await countTasks()).toBe(0);
  expect((await writes("pending"))[0]?.changes).toMatchObject([{ title: "Two" }]);
});
