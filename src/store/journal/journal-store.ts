// Entries and ledger of a journal, whichever owner it has. Each write is one statement that begins by taking the owner's row
// under the lease's fence: a worker that lost its lease writes nothing, and the numbers of events have no gaps.

import { sql } from "kysely";
import { z } from "zod";
import { type Database, statementIn, type Tx } from "../../db/database.ts";
import type { EventOf } from "../../domain/run/events.ts";
import {
  type EndedEffect,
  type EntryHead,
  entryKinds,
  type JournalEntry,
  type JournalStore,
  type Kept,
  type ModelCall,
  type Owner,
  type RecordedEntry,
  type Reserved,
  tellEntry,
  type Usage,
} from "../../runs/ports/run-store.ts";
import { toJson } from "../json.ts";
import type { HeldOwner } from "./journal-owners.ts";
import { lostPricedBy } from "./lost-call-store.ts";
import { noteSilence } from "./silence-store.ts";

type Statement = Database["statement"];

/** `tell` is called after each of them that wrote an event. */
export function journalStore<Held extends Owner>(
  db: Database,
  hold: (lease: Held) => HeldOwner,
  tell: (lease: Held) => void,
): Omit<JournalStore<Tx, Held>, "hear"> {
  const told = async <T>(lease: Held, written: Promise<T>): Promise<T> => {
    const result = await written;
    tell(lease);
    return result;
  };
  return {
    recordEntry: (lease, entry) => told(lease, recordEntry(db.statement, hold(lease), entry)),
    recordWrites: (lease, work) => told(lease, recordWrites(db, hold(lease), work)),
    reserveCall: (lease, call) => reserveCall(db, hold(lease), call),
    settleCall: (lease, call, usage, entry, error = null) =>
      told(lease, settleCall(db.statement, hold(lease), call, usage, entry, error)),
    noteSilence: (lease, call, silence) => noteSilence(db.statement, hold(lease), call, silence),
    intendEffect: (lease, head) => intendEffect(db.statement, hold(lease), head),
    keepHandle: (lease, head, handle) => keepHandle(db.statement, hold(lease), head, handle),
    isAtWork: async (lease) => {
      const { isAtWork, bound } = hold(lease);
      return (await db.statement(isAtWork, [bound[0], bound[2]])).length === 1;
    },
    finishEffect: (lease, head, ended) => told(lease, finishEffect(db.statement, hold(lease), head, ended)),
  };
}

const keptIf = (rows: readonly unknown[]): Kept => (rows.length === 1 ? "kept" : "lost");

/** The part of a statement that writes the event, and its value. */
function eventPart(owner: HeldOwner, at: number, event: EventOf<"entry_recorded"> | null) {
  if (owner.event === null) return { text: "", values: [] };
  return { text: `, event as (${owner.event(`$${at}`)})`, values: [toJson(event)] };
}

const jsonOrNull = (value: unknown) => (value == null ? null : toJson(value));

export async function recordEntry(
  query: Statement,
  owner: HeldOwner,
  { key, kind, result, event, lane, tool, did, args, error, tookMs }: RecordedEntry,
): Promise<Kept> {
  const told = eventPart(owner, 14, event);
  // The most frequent statement of all: values as they are, nothing taken out of JSON.
  const text = `with owner as (${owner.hold({ events: 1, toolCalls: "($5::text = 'tool')::int" })}),
    entry as (insert into journal_entries (${owner.columns}, fence, key, kind, state, result, lane, lane_title, tool, did, args, error, began_at, ended_at)
      select $1::uuid, $3::int, $2::bigint, $4, $5::text, 'done', $6::jsonb, $7, $8, $9, $10, $11::jsonb, $12,
             run_now() - make_interval(secs => $13::float8 / 1000), run_now() from owner)${told.text}
    select from owner`;
  const entry = [key, kind, toJson(result ?? null), lane.id, lane.title, tool, did, jsonOrNull(args), error, tookMs];
  return keptIf(await query(text, [...owner.bound, ...entry, ...told.values]));
}

/** Thrown to undo the writes of an entry whose lease is gone. */
class LeaseLost extends Error {}

async function recordWrites(db: Database, owner: HeldOwner, work: (tx: Tx) => Promise<RecordedEntry>): Promise<Kept> {
  try {
    await db.asUser(owner.identity, async (tx) => {
      const entry = await work(tx);
      await sql`select set_config('role', 'homework_system', true)`.execute(tx);
      if ((await recordEntry(statementIn(tx), owner, entry)) === "lost") throw new LeaseLost();
    });
    return "kept";
  } catch (thrown) {
    if (thrown instanceof LeaseLost) return "lost";
    throw thrown;
  }
}

/**
 * Refused: with a hard limit, what is spent and reserved already leaves no room for this call. A statement sees what was
 * there when it began, so where reservations are added up, the lock comes in a statement before it: of two calls at once
 * the second one sees the first.
 */
async function reserveCall(db: Database, owner: HeldOwner, call: ModelCall): Promise<Reserved> {
  const room = await reserve(db.statement, owner, call, false);
  if (room !== "not_locked") return room;
  return db.asSystem(async (tx) => {
    const query = statementIn(tx);
    const locked = await reserve(query, owner, call, false);
    const counted = locked === "not_locked" ? await reserve(query, owner, call, true) : locked;
    return counted === "not_locked" ? "refused" : counted;
  });
}

async function reserve(
  query: Statement,
  owner: HeldOwner,
  call: ModelCall,
  isLocked: boolean,
): Promise<Reserved | "not_locked"> {
  // What its user may not do, shut or out of money, is refused after the owner's row is locked, and before anything is written.
  const text = `with owner as (${owner.room(isLocked)}),
    verdict as materialized (select allowed, case when allowed then refuse_call($5::uuid, $9::bigint, $10::boolean) end as refusal from owner),
    made as (insert into llm_usage_logs (${owner.columns}, fence, call_id, user_id, entry_key, role, model, state, reserved_micro_usd,
        is_unpriced, lane, lane_title, messages)
      select $1::uuid, $3::int, $2::bigint, $4::uuid, $5::uuid, $6, $7, $8, 'reserved', $9::bigint, $10::boolean, $11, $12, $13::int
        from verdict where allowed and refusal is null)
    select allowed, refusal from verdict`;
  const { callId, key, role, model, reservedMicroUsd, isUnpriced = false, lane, messages = 0 } = call;
  const made = [callId, owner.identity.userId, key, role, model, reservedMicroUsd, isUnpriced];
  const values = [...owner.bound, ...made, lane?.id ?? "planner", lane?.title ?? null, messages];
  const [row] = await query<{ allowed: boolean | null; refusal: string | null }>(text, values);
  if (row === undefined) return "lost";
  if (row.allowed === null) return "not_locked";
  if (row.refusal === "monthly_quota" || row.refusal === "unpriced") return row.refusal;
  return row.allowed && row.refusal === null ? "kept" : "refused";
}

const noTokens = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, writtenTokens: 0 };

/**
 * The owner's row first, as everyone does: a worker that gives calls up has it already, and would wait for us for ever. The first
 * to settle a row of the ledger settles it. The entry is written only if the owner is still ours.
 */
async function settleCall(
  query: Statement,
  owner: HeldOwner,
  { callId, reservedMicroUsd }: ModelCall,
  usage: Usage | "unknown",
  entry: RecordedEntry | null,
  error: string | null,
): Promise<Kept> {
  const text = `with locked as (${owner.lock}),
    call as (update llm_usage_logs l set state = $5, cost_micro_usd = $6::bigint, input_tokens = $7::bigint, output_tokens = $8::bigint,
        cached_tokens = $9::bigint, written_tokens = $10::bigint, error = $12, settled_at = run_now(),
        priced_by = case when $5 = 'unknown' then ${lostPricedBy} else $11 end
      from locked where l.call_id = $4::uuid and l.state = 'reserved'
      returning l.model, l.cost_micro_usd, l.priced_by, l.input_tokens + l.output_tokens as tokens),
    ${owner.charge},
    entry as (insert into journal_entries (${owner.columns}, fence, key, kind, state, result, lane, lane_title, did, error, began_at, ended_at)
      select $1::uuid, $3::int, $2::bigint, s->>'key', 'model', 'done', s->'result', s->'lane'->>'id', s->'lane'->>'title',
             s->>'did', s->>'error', run_now() - make_interval(secs => (s->>'tookMs')::float8 / 1000), run_now()
        from (select $13::jsonb as s) as given, owner where owner.is_ours and s is not null)
    select owner.is_ours as kept from owner`;
  const lost = { costMicroUsd: reservedMicroUsd, pricedBy: "reservation", ...noTokens };
  const { costMicroUsd, inputTokens, outputTokens, cachedTokens, writtenTokens, pricedBy } =
    usage === "unknown" ? lost : usage;
  const state = usage === "unknown" ? "unknown" : "settled";
  const money = [state, costMicroUsd, inputTokens, outputTokens, cachedTokens, writtenTokens, pricedBy];
  const values = [...owner.bound, callId, ...money, error, jsonOrNull(entry)];
  const [row] = await query<{ kept: boolean }>(text, values);
  return row?.kept ? "kept" : "lost";
}

/** An intent that is there already is the same call again. */
async function intendEffect(query: Statement, owner: HeldOwner, { key, lane, tool, args }: EntryHead): Promise<Kept> {
  const isNew = `(not exists (select from journal_entries where ${owner.isMine} and key = $4))::int`;
  const text = `with owner as (${owner.hold({ events: 0, toolCalls: isNew })}),
    entry as (insert into journal_entries (${owner.columns}, fence, key, kind, state, lane, lane_title, tool, args)
      select $1::uuid, $3::int, $2::bigint, $4, 'effect', 'intended', $5, $6, $7, $8::jsonb from owner on conflict do nothing)
    select from owner`;
  return keptIf(await query(text, [...owner.bound, key, lane.id, lane.title, tool, jsonOrNull(args)]));
}

async function keepHandle(query: Statement, owner: HeldOwner, { key }: EntryHead, handle: unknown): Promise<Kept> {
  const text = `with owner as (${owner.hold({ events: 0, toolCalls: "0" })}),
    entry as (update journal_entries set handle = $5::jsonb from owner where ${owner.isMine} and key = $4 and state = 'intended')
    select from owner`;
  return keptIf(await query(text, [...owner.bound, key, toJson(handle)]));
}

async function finishEffect(query: Statement, owner: HeldOwner, head: EntryHead, ended: EndedEffect): Promise<Kept> {
  const { did, error } = ended.kind === "done" ? ended : uncertain;
  const told = eventPart(owner, 9, tellEntry(owner.bound[2], head, did, error));
  const text = `with owner as (${owner.hold({ events: 1, toolCalls: "0" })}),
    entry as (update journal_entries set state = $5, result = $6::jsonb, did = $7, error = $8, ended_at = run_now()
       from owner where ${owner.isMine} and key = $4 and state = 'intended')${told.text}
    select from owner`;
  const result = ended.kind === "done" ? toJson(ended.result ?? null) : null;
  return keptIf(await query(text, [...owner.bound, head.key, ended.kind, result, did, error, ...told.values]));
}

const uncertain = {
  did: "Interrupted: it may or may not have happened",
  error: "the program ended in the middle of it",
};

const entryRows = z.array(
  z.object({
    key: z.string(),
    lane: z.string(),
    kind: z.enum(entryKinds),
    state: z.enum(["intended", "done", "uncertain"]),
    result: z.unknown(),
    handle: z.unknown(),
  }),
);

type OwnerColumns =
  | { readonly run_id: string; readonly iteration: number }
  | { readonly chat_session_id: string; readonly message_seq: number }
  | { readonly outcome_id: string; readonly turn: number };

export async function readJournal(tx: Tx, owner: OwnerColumns): Promise<readonly JournalEntry[]> {
  const rows = await tx
    .selectFrom("journal_entries")
    .select(["key", "lane", "kind", "state", "result", "handle"])
    .where(({ and }) => and(owner))
    .orderBy("began_at")
    .execute();
  return entryRows.parse(rows);
}
