// What must be true when a call arrives at a provider, and of the commit that follows its fault. It remembers in which order
// things were committed, and when each provider said what.

import type { RunId } from "../../../src/domain/run/run.ts";
import type { RunRecord, SimEvent } from "../memory/records.ts";
import type { CallEnd, CountedCall } from "../provider.ts";
import type { Finding } from "./run-checks.ts";
import { standing } from "./session-checks.ts";

const minute = 60_000;
/** By holds in a row that came before: at least so long. */
const growth = [0, 2 * minute, 4 * minute, 8 * minute];
const longest = 15 * minute;

/** Time or the user mend these: nothing of the run's is at fault. */
const ofProvider: readonly CallEnd[] = ["transient", "limit", "auth", "quota"];
const endsHolds: readonly SimEvent["type"][] = ["iteration_completed", "run_stopped", "run_failed", "run_canceled"];

type Arrived = { readonly call: CountedCall; readonly fence: number };

export class CallChecks {
  #commits = 0;
  /** When messages and answers were committed. */
  readonly #committed = new Map<string, number>();
  readonly #arrived = new Map<RunId, Arrived[]>();
  readonly #holds = new Map<RunId, number>();

  /** Of every commit that changed the run. */
  findInCommit(before: RunRecord | undefined, after: RunRecord, nowMs: number): readonly Finding[] {
    this.#commits += 1;
    const { run } = after;
    for (const { id } of after.messages.slice(before?.messages.length ?? 0)) this.#committed.set(id, this.#commits);
    for (const { iteration, key } of after.entries.slice(before?.entries.length ?? 0))
      this.#committed.set(`${run.id}/${iteration}/${key}`, this.#commits);
    if (before === undefined) return [];
    const added = after.events.slice(before.events.length).map(({ event }) => event);
    return added.flatMap((event): readonly Finding[] => {
      const findings = [...this.#holding(before, event, nowMs), ...this.#faulted(before, event)];
      this.#count(run.id, event);
      return findings.filter((finding) => finding !== false);
    });
  }

  /** Only of a call whose worker still has the run. */
  findInCall(call: CountedCall, record: RunRecord, fence: number): readonly Finding[] {
    const arrived = this.#arrived.get(call.runId) ?? [];
    this.#arrived.set(call.runId, [...arrived, { call, fence }]);
    if (fence !== record.run.fence || record.run.state.status !== "running") return [];
    const isRepeated = arrived.some(
      (each) =>
        each.fence === fence &&
        each.call.end === "cut_off" &&
        each.call.role === call.role &&
        each.call.messages === call.messages,
    );
    const missing = this.#owed(call, record).filter((id) => !call.heard.includes(id));
    const findings: readonly (Finding | false)[] = [
      isRepeated && ["B6 a_cut_off_request_is_not_repeated", `${call.iteration}/${call.key}`],
      missing.length > 0 && ["S17 messages_stand_in_prompts", `${missing.join()} not in ${call.iteration}/${call.key}`],
    ];
    return findings.filter((finding) => finding !== false);
  }

  /** What its prompt has to contain: a planner and a judge all that was taken up, an executor all it was shown itself. */
  #owed({ runId, iteration, key, role }: CountedCall, record: RunRecord): readonly string[] {
    if (role === "summary") return [];
    if (role === "judge") return standing(record, iteration);
    const [lane] = key.split("llm:");
    if (role === "executor") {
      const own = record.entries.filter(
        (entry) => entry.iteration === iteration && entry.key.startsWith(`${lane}heard:`),
      );
      const heard = own.flatMap(({ result }) => (result as { readonly result: readonly { id: string }[] }).result);
      return [...standing(record, iteration - 1), ...heard.map(({ id }) => id)];
    }
    // What was said before its last answer reaches a session at the next one.
    const last = this.#committed.get(`${runId}/${iteration}/llm:${Number(key.split(":").at(-1)) - 1}`) ?? 0;
    const early = record.messages.filter(({ id }) => (this.#committed.get(id) ?? 0) < last).map(({ id }) => id);
    return [...standing(record, iteration), ...early];
  }

  /** C: holds in a row grow, up to a quarter of an hour or the provider's own time. */
  #holding({ run }: RunRecord, event: SimEvent, nowMs: number): readonly (Finding | false)[] {
    if (event.type !== "run_holding") return [];
    const faults = this.#callsUnder(run.id, run.fence).filter(({ end }) => ofProvider.includes(end));
    const faultedAtMs = Math.max(...faults.map(({ endedAtMs }) => endedAtMs));
    const namedMs = Math.max(0, ...faults.map(({ namedUntilMs }) => namedUntilMs ?? 0));
    const count = this.#holds.get(run.id) ?? 0;
    const leastMs = growth[count] ?? longest;
    return [
      faults.length === 0 && ["C holds_have_a_cause", `${event.why}`],
      count > 0 &&
        event.until_ms < faultedAtMs + leastMs && ["C holds_grow", `${event.until_ms - faultedAtMs} ms after ${count}`],
      event.until_ms > Math.max(nowMs + longest, namedMs) && ["C holds_are_short", `${event.until_ms - nowMs} ms`],
    ];
  }

  /** A5: an iteration whose judge or planner could not be asked is not over, unless there was no money to ask again. */
  #faulted({ run }: RunRecord, event: SimEvent): readonly (Finding | false)[] {
    if (event.type !== "iteration_completed" || event.decision === "stop") return [];
    const under = this.#callsUnder(run.id, run.fence);
    return (["judge", "planner"] as const).map((role) => {
      const last = under.findLast((call) => call.role === role);
      return (
        last !== undefined &&
        ofProvider.includes(last.end) && ["A5 a_fault_ends_no_iteration", `${last.key}: ${last.end}, ${event.decision}`]
      );
    });
  }

  #callsUnder(runId: RunId, fence: number): readonly CountedCall[] {
    return (this.#arrived.get(runId) ?? []).filter((each) => each.fence === fence).map(({ call }) => call);
  }

  #count(runId: RunId, { type }: SimEvent): void {
    if (type === "run_holding") this.#holds.set(runId, (this.#holds.get(runId) ?? 0) + 1);
    if (endsHolds.includes(type)) this.#holds.delete(runId);
  }
}
