// Follows an outcome until it is achieved, rests, or waits for a decision that is not made here. Events are words about it, or with
// --json the data. Questions are asked where somebody would see them.

import { type Escalation, type Outcome, type OutcomeEvent, routes } from "../../protocol/api.ts";
import { ApiError } from "../../protocol/api-error.ts";
import { nameAnswer } from "../../protocol/kinds.ts";
import { Ended, type ExitName } from "../exit-code.ts";
import { type ApiInvocation, isGivenUp } from "../invocation.ts";
import { withPatience } from "../patient-api.ts";
import { endSentence } from "../plain-text.ts";
import { settleQuestions as settleRun } from "../runs/follow-run.ts";
import { askOnce, canAsk } from "../runs/questions.ts";
import { type Chosen, findOption } from "./choose-option.ts";
import { countWords, escalationText, howToDecide, outcomeEventLine, outcomeWord } from "./outcome-text.ts";

/** A worker may be about to take the next task: an outcome that only waits for its owner is looked at twice. */
const settleMs = 2_000;
/** More than an outcome has at once. */
const workersMax = 10;
/** What a run asks is no event of its outcome: so it is looked at as often as this. */
const lookEveryMs = 5_000;

/** `as`: whether events are what the command was called for, or words beside it. */
export async function followOutcome(given: ApiInvocation, outcomeId: string, as: "data" | "words"): Promise<Outcome> {
  try {
    return await followToRest(withPatience(given), outcomeId, as);
  } catch (thrown) {
    if (!isGivenUp(given.host, thrown) || given.output.isJson) throw thrown;
    const goesOn = (await given.services.findServer()) !== null;
    given.output.warn(
      goesOn
        ? `The outcome continues in the background. Come back with: homework outcome watch ${outcomeId}`
        : `The outcome continues when Homework is started next: homework start, or homework outcome watch ${outcomeId}`,
    );
    throw new Ended("interrupted");
  }
}

const exits: Readonly<Record<Outcome["status"], ExitName>> = {
  active: "run_waiting",
  achieved: "ok",
  paused: "run_stopped",
  dormant: "ok",
  archived: "run_canceled",
};

/** Says how it rests by the number the command ends with. */
export function endLikeOutcome(outcome: Outcome): void {
  const exit = hasNoDraft(outcome) ? "run_failed" : exits[outcome.status];
  if (exit !== "ok") throw new Ended(exit);
}

/** Drafting ended without a task. */
const hasNoDraft = ({ is_drafting: isDrafting, tasks, status }: Outcome): boolean =>
  !isDrafting && status !== "achieved" && Object.values(tasks).every((count) => count === 0);

async function followToRest(given: ApiInvocation, outcomeId: string, as: "data" | "words"): Promise<Outcome> {
  const asked = new Set<string>();
  const first = await getOutcome(given, outcomeId);
  if (first.is_drafting) given.output.say("Drafting intent, approach and tasks.");
  for (let seen = first.last_seq; ; ) {
    const outcome = await getOutcome(given, outcomeId);
    given.host.stop.throwIfAborted();
    // What was read is newer than what was told: first all of that.
    if (seen < outcome.last_seq) seen = await tellUntil(given, outcome, seen, as, ({ seq }) => seq >= outcome.last_seq);
    if (isAtRest(outcome)) return outcome;
    const open = outcome.open_escalations === 0 ? [] : await openQuestions(given, outcomeId);
    const isDecided = await settleQuestions(given, open, asked);
    const isAnswered = outcome.waiting_runs > 0 && (await settleRuns(given, outcome, asked));
    if (!isDecided && !isAnswered && isLeftToOwner(outcome, open) && (await isStillWaiting(given, outcome)))
      return getOutcome(given, outcomeId);
    seen = await tellUntil(given, outcome, seen, as, (event) => outcome.is_drafting || isTurn(event, open.length));
  }
}

/** Nothing goes on before its owner has said something. */
const isLeftToOwner = ({ tasks, waiting_runs: waiting }: Outcome, open: readonly Escalation[]): boolean =>
  open.length + waiting > 0 && tasks.running === waiting;

/** True: what a worker asked was answered here. */
async function settleRuns(given: ApiInvocation, { id: outcomeId }: Outcome, asked: Set<string>): Promise<boolean> {
  const query = { status: "running", limit: workersMax } as const;
  const { items } = await given.api(routes.outcomeTasks.list, { params: { outcomeId }, query });
  let isAnswered = false;
  for (const { number, title, run_id: runId, run_status: status } of items) {
    if (runId === null || status !== "waiting_on_user") continue;
    const { run } = await given.api(routes.runs.get, { params: { runId }, query: {} });
    const key = `${runId} ${run.questions.map(({ id }) => id).join(" ")} ${run.iteration}`;
    if (run.status !== "waiting_on_user" || asked.has(key)) continue;
    asked.add(key);
    const named = { who: `Task #${number} “${title}”`, name: run.id };
    isAnswered = (await settleRun(given, run, named)) || isAnswered;
  }
  return isAnswered;
}

const getOutcome = ({ api }: ApiInvocation, outcomeId: string) => api(routes.outcomes.get, { params: { outcomeId } });

const isAtRest = (outcome: Outcome): boolean =>
  !outcome.is_drafting && (outcome.status !== "active" || hasNoDraft(outcome));

async function openQuestions({ api }: ApiInvocation, outcomeId: string): Promise<readonly Escalation[]> {
  const { items } = await api(routes.escalations.list, { params: { outcomeId }, query: {} });
  return items.filter(({ status }) => status === "pending" || status === "pending_confirmation");
}

async function isStillWaiting(given: ApiInvocation, { id, last_seq: seq }: Outcome): Promise<boolean> {
  await given.host.env.sleep(settleMs, given.host.stop);
  return (await getOutcome(given, id)).last_seq === seq;
}

/** True: one was decided here. `asked`: those that the person was shown. */
async function settleQuestions(
  given: ApiInvocation,
  open: readonly Escalation[],
  asked: Set<string>,
): Promise<boolean> {
  let isDecided = false;
  for (const escalation of open.filter(({ id }) => !asked.has(id))) {
    asked.add(escalation.id);
    given.output.warn(`HOMЯ needs your decision.\n${escalationText(escalation)}`);
    const decided = canAsk(given) && (await decideHere(given, escalation));
    if (!decided) given.output.warn(`Answer with: ${howToDecide(escalation)}`);
    isDecided ||= decided;
  }
  return isDecided;
}

/** Someone who types something else three times does not want to decide now. */
const triesMax = 3;

async function askOption(given: ApiInvocation, escalation: Escalation): Promise<Chosen | null> {
  for (let tries = 0; tries < triesMax; tries++) {
    const typed = await askOnce(given);
    if (typed === null) return null;
    const chosen = findOption(escalation, typed);
    if (chosen !== null) return chosen;
    const orWords = escalation.takes_own_words ? ", or some words of your own" : "";
    given.output.warn(`Type a number from 1 to ${escalation.question.options.length}${orWords}.`);
  }
  return null;
}

async function decideHere(given: ApiInvocation, escalation: Escalation): Promise<boolean> {
  const option = await askOption(given, escalation);
  if (option === null) return false;
  const params = { outcomeId: escalation.outcome_id, escId: escalation.id };
  try {
    const { resumed_tasks: resumed } = await given.api(routes.escalations.answer, {
      params,
      body: { selected_option: option.id, additional_context: option.note },
    });
    const decided = nameAnswer(escalation.question.options, option.id, option.note ?? "");
    given.output.say(`${endSentence(`Decided: ${decided}`)} Tasks resumed: ${resumed.length}.`);
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== "wrong_status") throw thrown;
    given.output.warn(thrown.message); // Someone else was quicker.
  }
  return true;
}

/** Tells what happens after `seen`, up to an event of this kind or for a while; the answer is the number of the last one. */
async function tellUntil(
  given: ApiInvocation,
  { id: outcomeId }: Outcome,
  seen: number,
  as: "data" | "words",
  isLast: (event: OutcomeEvent) => boolean,
): Promise<number> {
  const { follow, host } = given;
  const over = new AbortController();
  const signal = AbortSignal.any([host.stop, over.signal, AbortSignal.timeout(lookEveryMs)]);
  const input = { params: { outcomeId }, query: {} };
  let last = seen;
  for await (const { seq, data } of follow(routes.outcomes.stream, input, { after: seen, signal })) {
    tell(given, data, as);
    last = seq;
    if (isLast(data)) break;
  }
  over.abort();
  host.stop.throwIfAborted();
  return last;
}

function tell({ output, host }: ApiInvocation, event: OutcomeEvent, as: "data" | "words"): void {
  const line = outcomeEventLine(event, host.timeZone);
  if (as === "data" && output.isJson) output.line(event, () => "");
  else if (line !== null && as === "data") output.line(event, () => line);
  else if (line !== null) output.say(line);
}

/** The status of the outcome or of a question may have changed; with open questions also every task may be the last at work. */
const isTurn = ({ event }: OutcomeEvent, open: number): boolean =>
  event.type === "outcome_changed" ||
  event.type === "escalation_changed" ||
  (event.type === "task_changed" && (open > 0 || event.status === "failed"));

/** How it rests, in a sentence. */
export function restWords(outcome: Outcome): string {
  if (hasNoDraft(outcome)) return "No tasks could be drafted from this brief. Edit the brief or add tasks by hand.";
  if (outcome.status === "active") return `Waiting for your decision. Tasks: ${countWords(outcome.tasks)}`;
  return `Outcome ${outcomeWord(outcome.status)}. Tasks: ${countWords(outcome.tasks)}`;
}
