// Runs for tests of the command line: what the API says about one, its events, and a server whose run goes on scene by scene
// while a command follows it. Only tests import it.

import type { Run, RunEvent, RunIteration, RunReport } from "../../src/protocol/api.ts";
import type { Follow } from "../../src/protocol/follow.ts";
import { type Answers, answering, makeProject, runInTest, type TestHost, untilAborted } from "./cli-host.ts";
import { makeWireEvent } from "./sample-events.ts";

export const runId = "0198c2a4-0000-7000-8000-000000000001";
export const runPath = `/api/homework/runs/${runId}`;

export function makeWireRun(change: Partial<Run> = {}): Run {
  return {
    id: runId,
    title: "Plan my kitchen",
    objective: "Plan my kitchen",
    foreign_texts: [],
    engine: "planner",
    status: "running",
    iteration: 1,
    max_iterations: 20,
    place_in_line: null,
    hold: null,
    silences: [],
    stop_reason: null,
    progress: null,
    question: null,
    checks: { green: 0, of: 0 },
    made: [],
    is_undone: false,
    is_archived: false,
    metrics: { running_ms: 0, tokens_total: 0, cost_total_micro_usd: 0, tool_calls_total: 0, unpriced_calls: 0 },
    created_at: "2030-03-17T17:36:40Z",
    started_at: "2030-03-17T17:36:41Z",
    updated_at: "2030-03-17T17:45:40Z",
    completed_at: null,
    scope: "global",
    project_ids: [],
    context_type: "global",
    entity_id: null,
    budgets: {
      max_iterations: 20,
      max_wall_clock_ms: 3_600_000,
      max_cost_usd: null,
      max_total_tokens: null,
      max_tool_calls: null,
      hard: false,
    },
    permissions: { write_mode: "autopilot", allowed_tools: null },
    models: null,
    questions: [],
    failure: null,
    plan: [],
    deliverables: [],
    judge: true,
    time_zone: "UTC",
    completion_criteria: [],
    guidance: null,
    unread_messages: 0,
    messages: [],
    warnings: [],
    activity: { iteration: null, attempt: 1, since: null, active_ms: null, entries: [], entry_count: 0 },
    forked_from: null,
    follows_run_id: null,
    forecast: null,
    last_seq: 0,
    report: null,
    ...change,
  };
}

export function makeReport(change: Partial<RunReport> = {}): RunReport {
  return {
    title: "Homework complete: Plan my kitchen",
    objective: "Plan my kitchen",
    status: "completed",
    language: "en",
    work: null,
    primary_output: null,
    summary: "The plan is made.",
    open_questions: [],
    unsure: [],
    messages: [],
    what_changed: {
      created: [{ type: "document", id: "0198c2b7-1", title: "Floor plan", project_id: "0198c2a0-1" }],
      updated: [],
      linked: [],
      counts: [{ type: "document", created: 1, updated: 0 }],
    },
    artifacts: { plans: [], documents: [{ id: "0198c2b7-1", title: "Floor plan", change: "created" }] },
    check_changes: [],
    checks: [{ check: "document_has", about: "", is_green: true, state: "passed", seen: "412 words below 3 headings" }],
    metrics: {
      iterations: 2,
      duration_ms: 125_000,
      total_tokens: 12_345,
      cached_tokens: null,
      total_cost_micro_usd: 12_300,
      total_cost_usd: 0.0123,
      tool_calls: 1,
      unpriced_calls: 0,
    },
    stopping_reason: { type: "completed", detail: "The check passed" },
    ...change,
  };
}

export function makeIteration(change: Partial<RunIteration> = {}): RunIteration {
  return {
    iteration: 1,
    attempts: 1,
    status: "success",
    started_at: "2030-03-17T17:36:41Z",
    ended_at: "2030-03-17T17:37:46Z",
    summary: "Measured the walls",
    decision: "continue",
    why: "Work remains",
    error: null,
    metrics: {
      running_ms: 65_000,
      tokens_total: 900,
      cost_total_micro_usd: 1_200,
      tool_calls_total: 2,
      unpriced_calls: 0,
    },
    artifacts: [],
    ...change,
  };
}

/** As the server sends it: one second after the other, counted from 17:40:00. */
export function makeEvent(seq: number, type: string, fields: Readonly<Record<string, unknown>> = {}): RunEvent {
  const at = `2030-03-17T17:${String(40 + Math.floor(seq / 60)).padStart(2, "0")}:${String(seq % 60).padStart(2, "0")}Z`;
  return makeWireEvent(type, fields, { seq, at });
}

/** An event, together with what the run is from then on; or something that happens meanwhile. */
export type Scene = { readonly event: RunEvent; readonly run?: Partial<Run> } | (() => unknown);

export type Stage = {
  readonly run?: Partial<Run>;
  readonly scenes?: readonly Scene[];
  readonly answers?: Answers;
  /** Null: no server runs, the command does the work itself. */
  readonly server?: string | null;
};

/** A server with one run. It goes on by one scene whenever the follower is ready for the next event. */
export function staging({ run: change = {}, scenes = [], answers = {}, server = "http://server.test" }: Stage) {
  let run = makeWireRun(change);
  const history: RunEvent[] = [];
  const left = [...scenes];
  const created: unknown[] = [];
  const state = {
    change: (next: Partial<Run>) => {
      run = { ...run, ...next };
      return run;
    },
  };
  const { services, requests } = answering({
    "GET /api/homework/runs": () => ({ items: [run], next_cursor: null }),
    [`GET ${runPath}/sources`]: () => ({ items: [], next_cursor: null }),
    [`GET ${runPath}`]: ({ query }) => {
      const since = Number(query.events_since_seq ?? 0);
      const items = history.filter(({ seq }) => seq > since && seq <= run.last_seq);
      const events = query.include_events === "true" ? { items, next_since_seq: null } : null;
      return {
        run,
        iterations: null,
        events,
        usage: [],
        follows: null,
        follow_ups: [],
        outcome_task: null,
        workspace: null,
      };
    },
    "GET /api/projects": () => ({ items: [makeProject()], next_cursor: null }),
    "POST /api/homework/runs": ({ body }) => {
      created.push(body);
      return { run_id: runId, status: run.status, place_in_line: null, url: `/homework/runs/${runId}` };
    },
    ...answers,
  });
  const play: Follow = async function* play(_route, _input, { after, signal }) {
    for (const event of history.filter(({ seq }) => seq > (after ?? 0))) yield { seq: event.seq, data: event as never };
    while (!signal.aborted) {
      const scene = left.shift();
      if (scene === undefined) {
        await untilAborted(0, signal).catch(() => {});
      } else if (typeof scene === "function") {
        await scene();
      } else {
        history.push(scene.event);
        state.change({ last_seq: scene.event.seq, ...scene.run });
        yield { seq: scene.event.seq, data: scene.event as never };
      }
    }
  };
  const closed: string[] = [];
  const connection = (name: string) => async () => {
    const connected = await services.connect?.();
    if (!connected) throw new Error("bug: no connection");
    return { ...connected, follow: play, close: async () => void closed.push(name) };
  };
  return {
    services: { connect: connection("plain"), connectWorking: connection("working"), findServer: async () => server },
    requests,
    /** Bodies of the runs that were asked for. */
    created,
    /** Connections that were let go. */
    closed,
    ...state,
  };
}

/** One command line in front of that server. */
export async function runStaged(args: readonly string[], stage: Stage = {}, host: TestHost = {}) {
  const staged = staging({ run: { status: "queued" }, ...stage });
  return { ...staged, ...(await runInTest(args, { services: staged.services, ...host })) };
}

export const askedQuestion = {
  id: "q1",
  kind: "question" as const,
  text: "Red or blue\u001b[2J?",
  options: ["red tiles", "blue tiles"],
};

/** What usually happens, for a run that begins queued. */
export const scenes = {
  start: { event: makeEvent(1, "run_started", { objective: "x" }), run: { status: "running" } },
  iterate: { event: makeEvent(2, "iteration_started", { iteration: 1, attempt: 1 }) },
  entry: { event: makeEvent(3, "entry_recorded", { iteration: 1, entry: "plan", summary: "3 steps\u001b[31m" }) },
  wait: {
    event: makeEvent(4, "run_waiting_on_user", { iteration: 1, questions: [askedQuestion], why: "It needs you" }),
    run: { status: "waiting_on_user", questions: [askedQuestion] },
  },
  complete: {
    event: makeEvent(9, "run_completed", { iteration: 2, why: "1 of 1 checks are green" }),
    run: { status: "completed", report: makeReport() },
  },
} as const satisfies Readonly<Record<string, Scene>>;
