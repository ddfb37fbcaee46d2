// Writes that wait for their user's word (`homework_run_changes`). Reading is done as the user, writing as the platform. What
// was staged never changes afterwards, and what was decided stays decided: the table sees to that, too.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import {
  type NewStagedWrite,
  type StagedChange,
  type StagedWrite,
  type WriteState,
  writeLimits,
  writeStates,
} from "../../domain/change-set/staged-write.ts";
import type { Page } from "../../domain/entity/entity.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { DecidedWrites, StagedWrites, WriteCounts, WriteDecision } from "../../runs/answer-run.ts";
import { decodeCursor, type PageQuery, toPage } from "../cursor.ts";
import { toJson } from "../json.ts";
import { idColumn, kindColumn, objectColumn, opColumn, rowOf } from "../row.ts";

export const changeColumn = z.object({
  op: opColumn,
  kind: kindColumn,
  projectId: z.string(),
  entityId: z.string(),
  title: z.string(),
  before: objectColumn.nullable(),
  after: objectColumn,
}) satisfies z.ZodType<StagedChange>;

/** What it takes to do a staged write, without what it does. */
const callColumns = {
  tool: z.string(),
  args: z.unknown(),
  branchId: z.string().nullable(),
  iteration: z.number(),
  seedIteration: z.number(),
  seedKey: z.string(),
};

type Seeded = { readonly seedIteration: number; readonly seedKey: string };

const withSeed = <Write extends Seeded>({ seedIteration: iteration, seedKey: entryKey, ...write }: Write) => ({
  ...write,
  seed: { iteration, entryKey },
});

const callRow = rowOf(callColumns).transform(withSeed);
export type StagedCall = z.infer<typeof callRow>;

const writeRow = rowOf({
  ...callColumns,
  id: z.string(),
  position: z.number(),
  entryKey: z.string(),
  why: z.string(),
  changes: z.array(changeColumn),
  state: z.enum(writeStates),
  note: z.string(),
  stagedAt: z.string(),
  decidedAt: z.string().nullable(),
  decidedBy: idColumn<UserId>().nullable(),
  appliedAt: z.string().nullable(),
}).transform(withSeed);

const toWrite = (found: unknown): StagedWrite => writeRow.parse(found);

const selectWrites = (tx: Tx, runId: string) => tx.selectFrom("homework_run_changes").where("run_id", "=", runId);

/** In the order in which they are carried out. There are never more in these states than may wait at once. */
export async function openWrites(
  tx: Tx,
  runId: string,
  state: Extract<WriteState, "pending" | "approved">,
): Promise<readonly StagedWrite[]> {
  const rows = await selectWrites(tx, runId)
    .selectAll()
    .where("state", "=", state)
    .orderBy("position")
    .limit(writeLimits.waiting)
    .execute();
  return rows.map(toWrite);
}

/** Everything that is not written yet and may still be, in order; rows are not read, as they may be large. */
export async function openCalls(tx: Tx, runId: string): Promise<readonly StagedCall[]> {
  const rows = await selectWrites(tx, runId)
    .select(["tool", "args", "branch_id", "iteration", "seed_iteration", "seed_key"])
    .where("state", "in", ["pending", "approved"])
    .orderBy("position")
    .limit(writeLimits.waiting)
    .execute();
  return z.array(callRow).parse(rows);
}

export async function findWrite(tx: Tx, runId: string, id: string): Promise<StagedWrite | null> {
  const row = await selectWrites(tx, runId).selectAll().where("id", "=", id).executeTakeFirst();
  return row ? toWrite(row) : null;
}

export type WriteFilter = PageQuery & { readonly state?: WriteState | undefined };

/** First one first. */
export async function listWrites(
  tx: Tx,
  runId: string,
  { limit, cursor, state }: WriteFilter,
): Promise<Page<StagedWrite>> {
  const after = decodeCursor("staged writes", "number", cursor);
  let query = selectWrites(tx, runId)
    .selectAll()
    .orderBy("position")
    .limit(limit + 1);
  if (state) query = query.where("state", "=", state);
  if (after) query = query.where("position", ">", after[0]);
  const writes = (await query.execute()).map(toWrite);
  return toPage("staged writes", writes, limit, ({ position }) => [position]);
}

/** `full`: more waits than anyone reads, or than we keep; nothing was written. */
export type Staged = { readonly outcome: "staged"; readonly position: number } | { readonly outcome: "full" };

/** As the platform. The run's row is taken, as recording the entry does next: of two at once one comes after the other. */
export async function saveStaged(tx: Tx, runId: string, write: NewStagedWrite): Promise<Staged> {
  await sql`select from homework_runs where id = ${runId} for no key update`.execute(tx);
  const changes = toJson(write.changes);
  const { rows } = await sql<{ last: number; waiting: number; bytes: number }>`
    select coalesce(max(position), 0)::int as last,
           (count(*) filter (where state in ('pending', 'approved')))::int as waiting,
           (coalesce(sum(octet_length(changes::text)) filter (where state in ('pending', 'approved')), 0))::int as bytes
      from homework_run_changes where run_id = ${runId}`.execute(tx);
  const { last, waiting, bytes } = rows[0] ?? { last: 0, waiting: 0, bytes: 0 };
  if (waiting >= writeLimits.waiting || bytes + Buffer.byteLength(changes) > writeLimits.waitingBytes)
    return { outcome: "full" };
  await tx
    .insertInto("homework_run_changes")
    .values({
      run_id: runId,
      id: write.id,
      position: last + 1,
      iteration: write.iteration,
      entry_key: write.entryKey,
      branch_id: write.branchId,
      seed_iteration: write.seed.iteration,
      seed_key: write.seed.entryKey,
      tool: write.tool,
      args: toJson(write.args),
      why: write.why.slice(0, writeLimits.why),
      changes,
      state: "pending",
      note: write.note.slice(0, writeLimits.note),
    })
    .execute();
  return { outcome: "staged", position: last + 1 };
}

/** As the platform. All or, where one cannot be decided, none: the caller then gives its transaction up. */
export async function decideWrites(
  tx: Tx,
  runId: string,
  decisions: readonly WriteDecision[],
  by: UserId,
): Promise<DecidedWrites> {
  if (decisions.length === 0) return { outcome: "decided" };
  const rows = await selectWrites(tx, runId)
    .select(["id", "state"])
    .where(
      "id",
      "in",
      decisions.map(({ id }) => id),
    )
    .orderBy("position")
    .forNoKeyUpdate()
    .execute();
  const states = new Map(rows.map(({ id, state }) => [id, z.enum(writeStates).parse(state)]));
  for (const one of decisions) {
    const { id, decision } = one;
    const state = states.get(id);
    if (state === undefined) return { outcome: "missing", id };
    if (state === "pending") await setDecided(tx, runId, one, by);
    else if ((state === "rejected") !== (decision === "reject")) return { outcome: "decided_otherwise", id, state };
  }
  return { outcome: "decided" };
}

async function setDecided(tx: Tx, runId: string, { id, decision, note }: WriteDecision, by: UserId): Promise<void> {
  await tx
    .updateTable("homework_run_changes")
    .set({
      state: decision === "approve" ? "approved" : "rejected",
      decided_at: sql`run_now()`,
      decided_by: by,
      ...(note === "" ? {} : { note: note.slice(0, writeLimits.note) }),
    })
    .where("run_id", "=", runId)
    .where("id", "=", id)
    .execute();
}

/** What waits, and what was decided since the run last heard of it. */
export async function countWrites(tx: Tx, runId: string): Promise<WriteCounts> {
  const { rows } = await sql<WriteCounts>`
    select (count(*) filter (where state = 'pending'))::int as pending,
           (count(*) filter (where state = 'approved'))::int as approved,
           (count(*) filter (where state = 'rejected' and told_in is null))::int as rejected
      from homework_run_changes where run_id = ${runId}`.execute(tx);
  return rows[0] ?? { pending: 0, approved: 0, rejected: 0 };
}

/** In a transaction that has the platform's role now. */
export const stagedWrites = (tx: Tx): StagedWrites => ({
  count: (runId) => countWrites(tx, runId),
  pendingIds: async (runId) => (await openWrites(tx, runId, "pending")).map(({ id }) => id),
  decide: (runId, decisions, by) => decideWrites(tx, runId, decisions, by),
});

/** As the platform. False: it was not approved, or has been carried out already. */
export async function endApproved(
  tx: Tx,
  runId: string,
  id: string,
  end: { readonly state: "applied" } | { readonly state: "drifted"; readonly note: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("homework_run_changes")
    .set(
      end.state === "applied"
        ? { state: end.state, applied_at: sql`run_now()` }
        : { state: end.state, note: end.note.slice(0, writeLimits.note) },
    )
    .where("run_id", "=", runId)
    .where("id", "=", id)
    .where("state", "=", "approved")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** As the platform: what was turned down and this iteration is the first to hear of, in order. */
export async function takeUpRejected(tx: Tx, runId: string, iteration: number): Promise<readonly StagedWrite[]> {
  const rows = await tx
    .updateTable("homework_run_changes")
    .set({ told_in: iteration })
    .where("run_id", "=", runId)
    .where("state", "=", "rejected")
    .where("told_in", "is", null)
    .returningAll()
    .execute();
  return rows.map(toWrite).toSorted((one, other) => one.position - other.position);
}
