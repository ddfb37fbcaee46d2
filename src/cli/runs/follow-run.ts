// Follows one run until it has ended, it has questions that are not answered here, or the person leaves. On a terminal
// a few lines are written again and again, elsewhere there is a line for each event.

import { type Run, type RunEvent, routes } from "../../protocol/api.ts";
import { foldEvent, isSettled, type RunView, viewOf } from "../../protocol/run-view.ts";
import { parseEvent } from "../../protocol/said-event.ts";
import { Ended } from "../exit-code.ts";
import { type ApiInvocation, isGivenUp } from "../invocation.ts";
import { eventLine } from "./event-line.ts";
import { frameLines, LiveFrame } from "./live-frame.ts";
import { askAll, canAsk, howToAnswer, questionText, sendAnswers } from "./questions.ts";
import { exitOf } from "./status-words.ts";

/** What the command was called for: its report (events are words about it), or its events (they are the data). */
export type Purpose = "report" | "events";

/** How often the running time is written again. */
const tickMs = 1_000;
/** Of the current iteration, for what was done before one came to look. */
const recentEvents = 100;

/** The run as it is in the end. Throws `Ended` if the person left. */
export async function followRun(given: ApiInvocation, runId: string, purpose: Purpose): Promise<Run> {
  try {
    return await followToEnd(given, runId, purpose);
  } catch (thrown) {
    if (!isGivenUp(given.host, thrown) || given.output.isJson) throw thrown;
    await sayHowToComeBack(given, runId);
    throw new Ended("interrupted");
  }
}

/** Says how it ended by the number the command ends with. */
export function endLike({ status }: Run): void {
  const exit = exitOf(status);
  if (exit !== "ok") throw new Ended(exit);
}

async function sayHowToComeBack({ services, output }: ApiInvocation, runId: string): Promise<void> {
  const goesOn = (await services.findServer()) !== null;
  output.warn(
    goesOn
      ? `The run goes on without you. Come back with: homework watch ${runId}`
      : `The run continues when Homework is started next: homework start, or homework watch ${runId}`,
  );
}

/** Ends because a run does: it has a limited number of iterations, and each question takes one. */
async function followToEnd(given: ApiInvocation, runId: string, purpose: Purpose): Promise<Run> {
  for (;;) {
    const { run } = await given.api(routes.runs.get, { params: { runId }, query: {} });
    given.host.stop.throwIfAborted();
    if (!isSettled(run.status)) await showWhileItWorks(given, run, purpose);
    else if (run.status !== "waiting_on_user" || !(await settleQuestions(given, run))) return run;
  }
}

/** False: the questions are not answered here. */
async function settleQuestions(given: ApiInvocation, run: Run): Promise<boolean> {
  const { output } = given;
  if (!canAsk(given)) {
    output.warn(`The run waits for you:\n${run.questions.map(questionText).join("\n")}`);
    output.warn(`Answer with: ${howToAnswer(run)}`);
    return false;
  }
  output.warn("The run waits for you.");
  const answers = await askAll(given, run.questions);
  if (answers === null) {
    output.warn(`Answer later with: homework answer ${run.id}`);
    return false;
  }
  if ((await sendAnswers(given, run.id, answers)) === null) output.warn("It was answered elsewhere already.");
  return true;
}

async function showWhileItWorks(given: ApiInvocation, run: Run, purpose: Purpose): Promise<void> {
  const { follow, host } = given;
  const before = purpose === "report" ? await eventsBefore(given, run) : [];
  let view = viewOf(run);
  const display = displayFor(given, purpose);
  const over = new AbortController();
  const signal = AbortSignal.any([host.stop, over.signal]);
  const ticking = tick(given, signal, () => display.show(view));
  const input = { params: { runId: run.id }, query: {} };
  try {
    for (const event of before.filter(({ seq }) => seq <= view.seq)) display.tell(event);
    display.show(view);
    for await (const { data } of follow(routes.runs.stream, input, { after: view.seq, signal })) {
      view = foldEvent(view, data);
      display.tell(data);
      if (isSettled(view.state.status)) break;
      display.show(view);
    }
  } finally {
    over.abort();
    await ticking;
    display.close();
  }
  host.stop.throwIfAborted();
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
  readonly tell: (event: RunEvent) => void;
  readonly show: (view: RunView) => void;
  readonly close: () => void;
};

const nothing = () => {};

function displayFor({ host, output }: ApiInvocation, purpose: Purpose): Display {
  const { terminal, env } = host;
  if (terminal.canRedraw && !output.isJson && !output.isQuiet) {
    const frame = new LiveFrame(terminal);
    const columns = terminal.columns || defaultColumns;
    return {
      tell: nothing,
      show: (view) => frame.draw(frameLines(view, env.now(), columns, output)),
      close: () => frame.clear(),
    };
  }
  const tell =
    purpose === "events"
      ? (event: RunEvent) => output.line(event, () => eventLine(event))
      : (event: RunEvent) => isNews(event) && output.say(eventLine(event));
  return { tell, show: nothing, close: nothing };
}

/** What the platform notes down for itself is no news. */
function isNews(event: RunEvent): boolean {
  const said = parseEvent(event);
  return !(said?.type === "entry_recorded" && said.is_bookkeeping);
}

/** Where a terminal does not say how wide it is. */
const defaultColumns = 80;
