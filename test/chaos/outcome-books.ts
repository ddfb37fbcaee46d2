// What the kills of an outcome's chaos interrupted, and whether our ledger says of every call what the lab says of it. Every answer
// of the lab has a count of input tokens of its own, which is how a row of ours finds its answer.

import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../../src/db/database.ts";
import type { LabEntry } from "../lab/ledger.ts";

const whole = z.coerce.number().int();

const interrupted = z.object({
  iterations: whole,
  iterationsRepeated: whole,
  turns: whole,
  /** Pieces of HOMЯ's own work that another worker had to take up. */
  turnsRepeated: whole,
});
export type Interrupted = z.output<typeof interrupted>;

export async function readInterrupted(db: Database): Promise<Interrupted> {
  const { rows } = await sql`select
    (select count(*) from homework_run_iterations) as iterations,
    (select count(*) from homework_run_iterations where attempts > 1) as "iterationsRepeated",
    (select count(*) from homr_turns) as turns,
    (select count(*) from homr_turns where fence > 1) as "turnsRepeated"`.execute(db.system);
  return interrupted.parse(rows[0]);
}

const callRow = z.object({
  call: z.string(),
  entry: z.string(),
  state: z.enum(["reserved", "settled", "unknown"]),
  input: whole,
  output: whole,
  cost: whole,
  reserved: whole,
});
type Call = z.output<typeof callRow>;

export async function findLedgerFaults(db: Database, entries: readonly LabEntry[]): Promise<readonly string[]> {
  const { rows } =
    await sql`select call_id as call, state, input_tokens as input, output_tokens as output, cost_micro_usd as cost,
      reserved_micro_usd as reserved,
      format('%s of %s of %s', entry_key, coalesce(iteration, turn), coalesce(run_id, outcome_id)) as entry
    from llm_usage_logs order by created_at, call_id`.execute(db.system);
  const calls = z.array(callRow).parse(rows);
  const answers = new Map(entries.filter(({ state }) => state === "answered").map((each) => [each.inputTokens, each]));
  const heard = calls.filter(isHeard);
  return [
    ...calls.filter((call) => !isHeard(call) && !isPaidRightly(call)).map((call) => `unpaid: ${JSON.stringify(call)}`),
    ...heard
      .filter((call) => !isOf(call, answers.get(call.input)))
      .map((call) => `not as the lab says: ${JSON.stringify(call)}`),
    ...repeated(heard.map(({ input }) => String(input))).map((input) => `in two rows: the answer of ${input} tokens`),
    ...repeated(heard.map(({ entry }) => entry)).map((entry) => `answered and paid twice: ${entry}`),
  ];
}

const isHeard = ({ state, input }: Call): boolean => state === "settled" && input > 0;

/** Of a call without an answer: the reservation where it was lost, nothing where it was never sent. */
const isPaidRightly = ({ state, cost, reserved }: Call): boolean =>
  state === "unknown" ? cost === reserved : state === "settled" && cost === 0;

const isOf = ({ output, cost }: Call, answer: LabEntry | undefined): boolean =>
  answer !== undefined && output === answer.outputTokens && cost === answer.costMicroUsd;

function repeated(values: readonly string[]): readonly string[] {
  const once = new Set<string>();
  return values.filter((value) => once.has(value) || !once.add(value));
}
