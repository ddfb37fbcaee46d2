// Follows one run until it has ended, it has questions that are not answered here, or the person leaves. On a terminal
// its plan and what happens now are written again and again in place, elsewhere there is a line for each thing that happened.

import { type Run, type RunEvent, routes } from "../../protocol/api.ts";
import { foldEvent, isSettled, type Question, type RunView, viewOf } from "../../protocol/run-view.ts";
import { Ended } from "../exit-code.ts";
import { type ApiInvocation, isGivenUp } from "../invocation.ts";
import type { Output } from "../output.ts";
import { withPatience } from "../patient-api.ts";
import { checkLine } from "./check-state.ts";
import { eventLine, isNews } from "./event-line.ts";
import { frameLines, LiveFrame } from "./live-frame.ts";
import { stepLine } from "./plan-text.ts";
import { askAll, canAsk, howToAnswer, questionText, sendAnswers } from "./questions.ts";
import { nameRun } from "./show-result.ts";
import { exitOf } from "./status-words.ts";

/** What the command was called for: its result (events are words about it), or, with --json, its events (they are the data). */
export type Purpose = "result" | "events";

/** How often the running time is written again. */
const tickMs = 1_000;
/** Of the current iteration, for what was done before one came to look. */
const recentEvents = 100;

/** The run as it is in the end. Throws `Ended` if the person left. */
export async function followRun(given: ApiInvocation, runId: string, purpose: Purpose): Promise<Run> {
  const name = await nameRun(given.api, runId);
  try {
    return await followToEnd(withPatience(given), runId, name, purpose);
  } catch (thrown) {
    if (!isGivenUp(given.host, thrown) || given.output.isJson) throw thrown;
    await sayHowToComeBack(given, name);
    throw new Ended("interrupted");
  }
}

/** Says how it ended by the number the command ends with. */
export function endLike({ status }: Run): void {
  const exit = exitOf(status);
  if (exit !== "ok") throw new Ended(exit);
}

async function sayHowToComeBack({ services, output }: ApiInvocation, name: string): Promise<void> {
  const goesOn = (await services.findServer()) !== null;
  output.warn(
    goesOn
      ? `The run continues in the background.\nCome back with: homework watch ${name}\nEnd it with: homework cancel ${name}`
      : `The run is paused: Homework is not running.\nContinue with: homework watch ${name} (or homework start)\nEnd it with: homework cancel ${name}`,
  );
}

/** Ends because a run does: it has a limited number of iterations, and each question takes one. */
async function followToEnd(given: ApiInvocation, runId: string, name: string, purpose: Purpose): Promise<Run> {
  for (;;) {
    const run = await readRun(given, runId);
    given.host.stop.throwIfAborted();
    if (!isSettled(run.status)) await showWhileItWorks(given, run, purpose);
    else if (run.status !== "waiting_on_user" || !(await settleQuestions(given, run, { who: "The run", name })))
      return run;
  }
}

/** How people speak of a run: in a sentence, and in a command. */
type Named = { readonly who: string; readonly name: string };

/** False: the questions are not answered here. */
export async function settleQuestions(given: ApiInvocation, run: Run, { who, name }: Named): Promise<boolean> {
  const { output } = given;
  const about = contextLines(output, run, name);
  if (!canAsk(given)) {
    const lines = [`${who} is waiting for your answer:`, ...about, ...run.questions.map(questionText)];
    output.warn(lines.join("\n"));
    output.warn(`Answer with: ${howToAnswer(run, name)}`);
    return false;
  }
  output.warn([`${who} is waiting for your answer.`, ...about].join("\n"));
  const answers = await askAll(given, run.questions);
  if (answers === null) {
    output.warn(`Answer later with: homework answer ${name}`);
    return false;
  }
  if ((await sendAnswers(given, run.id, answers)) === null) output.warn("Someone else has answered already.");
  return true;
}

/** What there is to approve, above the question whether to approve it. */
function contextLines(output: Output, run: Run, name: string): readonly string[] {
  const asksFor = (kind: Question["kind"]) => run.questions.some((question) => question.kind === kind);
  const checks = run.completion_criteria.map((check) => `  ${checkLine(output, run, check)}`);
  return [
    ...(asksFor("approve_plan")
      ? ["", "Plan", ...run.plan.map((step) => `  ${stepLine(output, step)}`), "", "Checks", ...checks, ""]
      : []),
    ...(asksFor("approve_writes") ? [`See what the run would write: homework changes ${name}`] : []),
  ];
}

async function showWhileItWorks(given: ApiInvocation, begun: Run, purpose: Purpose): Promise<void> {
  const { follow, host } = given;
  const before = purpose === "result" ? await eventsBefore(given, begun) : [];
  let run = begun;
  let view = viewOf(run);
  const display = displayFor(given, purpose);
  const over = new AbortController();
  const signal = AbortSignal.any([host.stop, over.signal]);
  const ticking = tick(given, signal, () => display.show(run, view));
  const input = { params: { runId: run.id }, query: {} };
  try {
    for (const event of before.filter(({ seq }) => seq <= view.seq)) display.tell(event);
    display.show(run, view);
    for await (const { data } of follow(routes.runs.stream, input, { after: view.seq, signal })) {
      view = foldEvent(view, data);
      display.tell(data);
      if (isSettled(view.state.status)) break;
      if (display.isLive && data.seq > run.last_seq && mayChangePlan(data)) run = await readRun(given, run.id);
      display.show(run, view);
    }
  } finally {
    over.abort();
    await ticking;
    display.close();
  }
  host.stop.throwIfAborted();
}

/** Plan and checks are not in the events: the run is read again, once for all that has happened by then. */
const mayChangePlan = ({ type }: RunEvent) => planEvents.includes(type);
const planEvents: readonly string[] = ["entry_recorded", "checks_changed", "checks_proven", "iteration_completed"];

async function readRun({ api }: ApiInvocation, runId: string): Promise<Run> {
  return (await api(routes.runs.get, { params: { runId }, query: {} })).run;
}

async function eventsBefore({ api }: ApiInvocation, run: Run): Promise<readonly RunEvent[]> {
  const query = {
    include_events: "true",
    events_since_seq: Math.max(0, run.last_seq - recentEvents),
    limit: recentEvents,
  } as const;
  return (await api(routes.runs.get, { params: { runId: run.id }, query })).events?.items ?? [];
}

async function tick({ host }: ApiInvocation, signal: AbortSignal, show: () => void): Promise<void> {
  while (!signal.aborted) {
    try {
      await host.env.sleep(tickMs, signal);
    } catch {
      return; // It is over.
    }
    show();
  }
}

type Display = {
  /** It shows the plan, so the run has to be up to date. */
  readonly isLive: boolean;
  readonly tell: (event: RunEvent) => void;
  readonly show: (run: Run, view: RunView) => void;
  readonly close: () => void;
};

const nothing = () => {};

function displayFor({ host, output }: ApiInvocation, purpose: Purpose): Display {
  const { terminal, env } = host;
  if (terminal.canRedraw && !output.isJson && !output.isQuiet) {
    const frame = new LiveFrame(terminal);
    const columns = terminal.columns || defaultColumns;
    return {
      isLive: true,
      tell: nothing,
      show: (run, view) => frame.draw(frameLines(run, view, env.now(), columns, output)),
      close: () => frame.clear(),
    };
  }
  const tell =
    purpose === "events" && output.isJson
      ? (event: RunEvent) => output.line(event, () => "")
      : (event: RunEvent) => isNews(event) && output.say(eventLine(event));
  return { isLive: false, tell, show: nothing, close: nothing };
}

/** Where a terminal does not say how wide it is. */
const defaultColumns = 80;
