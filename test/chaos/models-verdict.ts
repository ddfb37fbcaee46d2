// Our ledger against the lab's, and what each run wrote against what the first, undisturbed one wrote. Every answer of the lab
// has a count of input tokens of its own, which is how a row of ours finds its answer.

import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../../src/db/database.ts";
import type { LabEntry } from "../lab/ledger.ts";
import { executorsAtOnce } from "./long-sessions.ts";

export type ModelsVerdict = {
  readonly runs: number;
  readonly completed: number;
  readonly iterations: number;
  readonly attempts: number;
  /** Iterations with answers that different leases paid for: a worker died between two of them, and another one went on. */
  readonly carriedOn: number;
  readonly ledger: LedgerFigures;
  /** Rows that are not what the lab says, and sums that do not add up. */
  readonly ledgerFaults: readonly string[];
  /** Written twice, or not at all: whatever differs from the undisturbed run. */
  readonly writeFaults: readonly string[];
  /** Runs that are not completed. */
  readonly unfinished: readonly string[];
};

export type LedgerFigures = {
  /** By the lab's count. */
  readonly answers: number;
  readonly rows: number;
  readonly settled: number;
  /** Paid at their reservation. */
  readonly lost: number;
  /** Settled at nothing, because nothing was sent. */
  readonly free: number;
  /** Answers that nobody heard. */
  readonly unheard: number;
  readonly settledMicroUsd: number;
  readonly labSettledMicroUsd: number;
  readonly lostMicroUsd: number;
  readonly labUnheardMicroUsd: number;
};

const whole = z.coerce.number().int();
const shapes = {
  runs: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      iteration: whole,
      cost: whole,
      tokens: whole,
      report_cost: whole.nullable(),
      report_tokens: whole.nullable(),
      why: z.string().nullable(),
      row_cost: whole,
      row_tokens: whole,
    }),
  ),
  calls: z.array(
    z.object({
      call_id: z.string(),
      run_id: z.string(),
      entry: z.string(),
      model: z.string(),
      state: z.enum(["reserved", "settled", "unknown"]),
      priced_by: z.string().nullable(),
      input: whole,
      output: whole,
      cost: whole,
      reserved: whole,
    }),
  ),
  written: z.array(z.object({ run_id: z.string(), what: z.string() })),
  iterations: z.array(z.object({ run_id: z.string(), iteration: whole, attempts: whole, leases: whole })),
};
type Run = z.output<typeof shapes.runs>[number];
type Call = z.output<typeof shapes.calls>[number];
type Iteration = z.output<typeof shapes.iterations>[number];

export async function judgeModels(db: Database, entries: readonly LabEntry[]): Promise<ModelsVerdict> {
  const { runs, calls, written, iterations } = await look(db);
  return {
    runs: runs.length,
    completed: runs.filter(({ status }) => status === "completed").length,
    iterations: iterations.length,
    attempts: sum(iterations.map(({ attempts }) => attempts)),
    carriedOn: iterations.filter(({ leases }) => leases > 1).length,
    ledger: figuresOf(calls, entries),
    ledgerFaults: [
      ...rowFaults(calls, entries),
      ...askedTwice(calls),
      ...lostFaults(calls, entries),
      ...runs.flatMap(({ id }) => repeatFaults(id, calls, iterations)),
      ...runs.flatMap(totalFaults),
    ],
    writeFaults: writeFaults(runs, written),
    unfinished: runs
      .filter(({ status }) => status !== "completed")
      .map(({ id, status, iteration, why }) => `run ${id} is ${status} at iteration ${iteration}: ${why}`),
  };
}

/** Those that somebody has to go on with. */
export async function countUnderWay(db: Database): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from homework_runs where status in ('queued', 'running')`.execute(db.system);
  return rows[0]?.open ?? 0;
}

/** Names of the workers that have a run, those that died a moment ago included. */
export async function whoWorks(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ leased_by: string }>`select distinct leased_by from homework_runs
    where status = 'running' and leased_at is not null`.execute(db.system);
  return rows.map(({ leased_by: name }) => name);
}

async function look(db: Database) {
  const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(db.system)).rows;
  return {
    runs: shapes.runs.parse(
      await rowsOf(sql`select r.id, r.status, r.iteration, r.cost_micro_usd as cost, r.tokens,
          r.report->'metrics'->'total_cost_micro_usd' as report_cost, r.report->'metrics'->'total_tokens' as report_tokens,
          coalesce(l.cost, 0) as row_cost, coalesce(l.tokens, 0) as row_tokens,
          (select why from homework_run_iterations i where i.run_id = r.id order by i.iteration desc limit 1) as why
        from homework_runs r left join (select run_id, sum(cost_micro_usd) as cost, sum(input_tokens + output_tokens) as tokens
          from llm_usage_logs group by 1) l on l.run_id = r.id order by r.created_at, r.id`),
    ),
    calls: shapes.calls.parse(
      await rowsOf(sql`select call_id, run_id, format('%s of iteration %s of run %s', entry_key, iteration, run_id) as entry, model, state, priced_by, input_tokens as input, output_tokens as output,
          cost_micro_usd as cost, reserved_micro_usd as reserved from llm_usage_logs order by created_at, call_id`),
    ),
    written: shapes.written.parse(await rowsOf(sql`${sql.raw(writtenText)}`)),
    iterations: shapes.iterations.parse(
      await rowsOf(sql`select run_id, iteration, attempts, (select count(distinct s.fence) from journal_entries s
          where s.run_id = i.run_id and s.iteration = i.iteration and s.kind = 'model') as leases
        from homework_run_iterations i order by run_id, iteration`),
    ),
  };
}

/** Each change, each thing as it is at the end, each answer and each entry of the journal; ids are nobody's business, nor are the beginnings of ids. */
const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f-]+…?";
const writtenText = `
  select run_id, format('%s %s: %s', op, kind, title) as what from onto_changes where run_id is not null
  union all
  select created_by_run, format('document %s: %s', title, regexp_replace(content, '${uuid}', '#', 'g')) from onto_documents
   where created_by_run is not null
  union all
  select created_by_run, format('task %s: %s', title, state_key) from onto_tasks where created_by_run is not null
  union all
  select run_id, format('entry %s of iteration %s is %s', key, iteration, state) from journal_entries`;

const isHeard = ({ state, input }: Call) => state === "settled" && input > 0;

function figuresOf(calls: readonly Call[], entries: readonly LabEntry[]): LedgerFigures {
  const answers = entries.filter(({ state }) => state === "answered");
  const heard = new Set(calls.filter(isHeard).map(({ input }) => input));
  const lost = calls.filter(({ state }) => state === "unknown");
  const unheard = answers.filter(({ inputTokens }) => !heard.has(inputTokens));
  const ofLab = (some: readonly LabEntry[]) => sum(some.map(({ costMicroUsd }) => costMicroUsd));
  return {
    answers: answers.length,
    rows: calls.length,
    settled: calls.filter(isHeard).length,
    lost: lost.length,
    free: calls.filter((call) => call.state === "settled" && !isHeard(call)).length,
    unheard: unheard.length,
    settledMicroUsd: sum(calls.filter(isHeard).map(({ cost }) => cost)),
    labSettledMicroUsd: ofLab(answers.filter(({ inputTokens }) => heard.has(inputTokens))),
    lostMicroUsd: sum(lost.map(({ cost }) => cost)),
    labUnheardMicroUsd: ofLab(unheard),
  };
}

/** Every row that is settled is one answer of the lab, to the token and the micro-dollar, and no answer is in two rows. */
function rowFaults(calls: readonly Call[], entries: readonly LabEntry[]): readonly string[] {
  const answers = new Map(
    entries.filter(({ state }) => state === "answered").map((entry) => [entry.inputTokens, entry]),
  );
  const taken = new Map<number, string>();
  return calls.flatMap((call) => {
    if (!isHeard(call)) return isPaidRightly(call) ? [] : [`a call without an answer: ${JSON.stringify(call)}`];
    const before = taken.get(call.input);
    taken.set(call.input, call.call_id);
    if (before !== undefined) return [`calls ${before} and ${call.call_id} are the same answer`];
    const answer = answers.get(call.input);
    return answer && isOf(call, answer) ? [] : [`${JSON.stringify(call)}, the lab says ${JSON.stringify(answer)}`];
  });
}

/** Whoever has an answer in the journal does not ask for it again. */
function askedTwice(calls: readonly Call[]): readonly string[] {
  const entries = calls.filter(isHeard).map(({ entry }) => entry);
  const once = new Set<string>();
  return entries
    .filter((entry) => once.has(entry) || !once.add(entry))
    .map((entry) => `answered and paid twice: ${entry}`);
}

/** Only what was in flight when a worker died is lost and asked for again. */
function repeatFaults(id: string, calls: readonly Call[], iterations: readonly Iteration[]): readonly string[] {
  const lost = calls.filter(({ run_id: runId, state }) => runId === id && state === "unknown").length;
  const died = sum(iterations.filter(({ run_id: runId }) => runId === id).map(({ attempts }) => attempts - 1));
  if (lost <= died * executorsAtOnce) return [];
  return [`run ${id}: ${lost} calls were lost, and ${died} attempts had at most ${executorsAtOnce} in flight each`];
}

/** Of a call without an answer: the reservation where it was lost, nothing where it was never sent. */
function isPaidRightly({ state, priced_by: by, cost, reserved }: Call): boolean {
  if (state === "unknown") return reserved > 0 && cost === reserved && by === "reservation";
  return state === "settled" && by === "free" && cost === 0;
}

function isOf({ model, output, cost, priced_by: by }: Call, answer: LabEntry): boolean {
  const pricedBy = model.startsWith("openrouter/") ? "provider" : "table";
  const isSame = model.slice(model.indexOf("/") + 1) === answer.model;
  return isSame && output === answer.outputTokens && cost === answer.costMicroUsd && by === pricedBy;
}

/** An answer that nobody heard is in a row that was lost, and that row pays for it. */
function lostFaults(calls: readonly Call[], entries: readonly LabEntry[]): readonly string[] {
  const names = [...new Set(entries.map(({ model }) => model))];
  return names.flatMap((name) => {
    const ours = calls.filter(({ model }) => model.slice(model.indexOf("/") + 1) === name);
    const { unheard, lost, lostMicroUsd, labUnheardMicroUsd } = figuresOf(
      ours,
      entries.filter(({ model }) => model === name),
    );
    return [
      ...(unheard <= lost ? [] : [`${name}: ${unheard} answers were not heard, and only ${lost} rows say so`]),
      ...(labUnheardMicroUsd <= lostMicroUsd
        ? []
        : [`${name}: ${lostMicroUsd} for lost answers that cost ${labUnheardMicroUsd}`]),
    ];
  });
}

function totalFaults({ id, cost, tokens, ...run }: Run): readonly string[] {
  const said = [
    ["rows of the ledger", run.row_cost, run.row_tokens],
    ["report", run.report_cost, run.report_tokens],
  ] as const;
  return said
    .filter(([, otherCost, otherTokens]) => otherCost !== cost || otherTokens !== tokens)
    .map(([what, otherCost, otherTokens]) => `run ${id}: ${cost}/${tokens}, the ${what}: ${otherCost}/${otherTokens}`);
}

function writeFaults(
  runs: readonly Run[],
  written: readonly { readonly run_id: string; readonly what: string }[],
): readonly string[] {
  const countsOf = (id: string | undefined) => {
    const counts = new Map<string, number>();
    for (const { run_id: runId, what } of written) if (runId === id) counts.set(what, (counts.get(what) ?? 0) + 1);
    return counts;
  };
  const [first, ...rest] = runs;
  const due = countsOf(first?.id);
  if (due.size === 0) return ["the undisturbed run wrote nothing"];
  return rest.flatMap(({ id }) => {
    const there = countsOf(id);
    return [...new Set([...due.keys(), ...there.keys()])]
      .filter((what) => due.get(what) !== there.get(what))
      .map((what) => `run ${id}: ${there.get(what) ?? 0} times instead of ${due.get(what) ?? 0}: ${what}`);
  });
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
