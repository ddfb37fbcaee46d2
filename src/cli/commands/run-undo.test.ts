import { expect, test } from "vitest";
import { errorAnswer } from "../../../test/helpers/cli-host.ts";
import { runId, runPath, runStaged } from "../../../test/helpers/cli-runs.ts";
import type { Undone } from "../../protocol/api.ts";

const uuid = (n: number) => `0198c2b7-0000-7000-8000-00000000000${n}`;
const thing = (n: number, kind: "task" | "document" = "document", title = "Floor plan\u001b[2J") => ({
  ref: `${kind}:${uuid(n)}`,
  kind,
  id: uuid(n),
  project_id: uuid(9),
  title,
});
const none = { count: 0, items: [] };
const makeUndone = (over: Partial<Undone> = {}): Undone => ({
  run_id: runId,
  dry_run: true,
  ends_run: false,
  removed: { count: 1, items: [thing(1)] },
  restored: { count: 1, items: [thing(2, "task", "Measure")] },
  kept: none,
  skipped: none,
  conflicts: none,
  ...over,
});
const conflict = {
  thing: thing(3, "task", "Compare"),
  reason: "changed_since" as const,
  who: { user_id: uuid(8), name: "Ben", run_id: null, at: "2030-03-17T17:45:40Z", op: "updated" },
  by: null,
  can_force: true,
  message: "It was changed since",
};

/** Runs it and returns what was sent, the dry run first. */
async function undo(args: readonly string[], first: Undone, host = {}) {
  const sent: unknown[] = [];
  const answers = {
    [`POST ${runPath}/undo`]: ({ body, query }: { body: unknown; query: Record<string, string> }) => {
      sent.push({ dry_run: query.dry_run ?? "false", body });
      const skipped = (body as { skip: string[] }).skip;
      const open = first.conflicts.items.filter((one) => !skipped.includes(one.thing.ref));
      const conflicts = { count: open.length, items: open };
      return { ...first, conflicts, dry_run: query.dry_run === "true" };
    },
  };
  return { ...(await runStaged(["undo", "last", ...args], { answers }, host)), sent };
}

const dry = { dry_run: "true", body: { skip: [], force: [] } };
const real = { dry_run: "false", body: { skip: [], force: [] } };

test("shows what it comes to and does nothing where nobody can be asked", async () => {
  const ran = await undo([], makeUndone({ ends_run: true }));
  expect(ran.sent).toEqual([dry]);
  expect(ran).toMatchObject({ code: 0, words: "Nothing was done yet. Confirm with --yes.\n" });
  expect(ran.out).toBe(
    `goes: document "Floor plan [2J"\nis put back: task "Measure"\nThe run itself is ended by this for good.\n`,
  );
});

test("links are counted, not listed", async () => {
  const link = { ...thing(4), kind: "edge" as const, ref: `edge:${uuid(4)}`, title: "document_has_document" };
  const ran = await undo([], makeUndone({ removed: { count: 3, items: [thing(1), link, link] }, restored: none }));
  expect(ran.out).toBe(`goes: document "Floor plan [2J"\ngoes: 2 links between them\n`);
});

test("with --yes does it", async () => {
  const ran = await undo(["--yes"], makeUndone());
  expect(ran.sent).toEqual([dry, real]);
  expect(ran).toMatchObject({ code: 0, out: `${runId}\n`, words: "Undone: 1 thing removed, 1 put back.\n" });
});

test.for([
  ["y", 2],
  ["no", 1],
] as const)("asks on a terminal, and takes %s for an answer", async ([typed, requests]) => {
  const terminal = { isInteractive: true, ask: async () => typed };
  expect((await undo([], makeUndone(), { terminal })).sent).toHaveLength(requests);
});

test("with --json prints the dry run, and does nothing without --yes", async () => {
  const ran = await undo(["--json"], makeUndone());
  expect(JSON.parse(ran.out)).toMatchObject({ dry_run: true, removed: { count: 1 } });
  expect(ran.sent).toEqual([dry]);
});

test("says who was there since, and ends with 5", async () => {
  const ran = await undo(["--yes"], makeUndone({ conflicts: { count: 1, items: [conflict] } }));
  expect(ran.sent).toEqual([dry]);
  expect(ran.code).toBe(5);
  expect(ran.words).toContain(
    `in conflict: task "Compare" (task:${uuid(3)}): It was changed since by Ben at 2030-03-17T17:45:40Z\n`,
  );
});

test("--skip-conflicts leaves them", async () => {
  const ran = await undo(["--yes", "--skip-conflicts"], makeUndone({ conflicts: { count: 1, items: [conflict] } }));
  const body = { skip: [`task:${uuid(3)}`], force: [] };
  expect(ran.sent).toEqual([dry, { dry_run: "true", body }, { dry_run: "false", body }]);
});

test("takes names to skip and to overwrite", async () => {
  const ran = await undo(["--yes", "--skip", `task:${uuid(1)}`, "--force", `task:${uuid(2)}`], makeUndone());
  expect(ran.sent).toEqual(
    ["true", "false"].map((dry_run) => ({ dry_run, body: { skip: [`task:${uuid(1)}`], force: [`task:${uuid(2)}`] } })),
  );
  expect((await undo(["--skip", "task"], makeUndone())).code).toBe(2);
});

test("says when nothing is left", async () => {
  const ran = await undo(["--yes"], makeUndone({ removed: none, restored: none }));
  expect(ran).toMatchObject({ code: 0, words: "There is nothing left to take back.\n", sent: [dry] });
});

test("ends with 5 where the run is at work", async () => {
  const answers = { [`POST ${runPath}/undo`]: () => errorAnswer(409, "wrong_status", "The run is at work") };
  expect(await runStaged(["undo", "last", "--yes"], { answers })).toMatchObject({
    code: 5,
    words: "The run is at work\n",
  });
});
