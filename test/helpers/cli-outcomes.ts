// Outcomes for tests of the command line: what the API says about one, its tasks and questions, and a server whose outcome goes on
// scene by scene while a command follows it. Only tests import it.

import type { Escalation, Outcome, OutcomeEvent, OutcomeTask } from "../../src/protocol/api.ts";
import type { Follow } from "../../src/protocol/follow.ts";
import { type Answers, answering, makeProject, runInTest, type TestHost, untilAborted } from "./cli-host.ts";

export const outcomeId = "0198c2a4-0000-7000-8000-000000000011";
export const escalationId = "0198c2a4-0000-7000-8000-000000000021";
export const outcomePath = `/api/outcomes/${outcomeId}`;
export const escalationPath = `${outcomePath}/homr/escalations/${escalationId}`;
const taskIdOf = (number: number) => `0198c2a4-0000-7000-8000-00000000010${number}`;

const noTasks = { pending: 0, running: 0, paused: 0, completed: 0, failed: 0, obsolete: 0 };

export function makeWireOutcome(change: Partial<Outcome> = {}): Outcome {
  return {
    id: outcomeId,
    name: "A shop for lamps",
    status: "active",
    engine: "planner",
    project_id: null,
    tasks: { ...noTasks, pending: 2 },
    open_escalations: 0,
    waiting_runs: 0,
    is_drafting: false,
    latest: null,
    metrics: { cost_total_micro_usd: 120_000, tokens_total: 5_000, unpriced_calls: 0 },
    created_at: "2030-03-17T17:36:40Z",
    updated_at: "2030-03-17T17:45:40Z",
    brief: "I want to sell lamps",
    intent: {
      summary: "A shop that sells lamps",
      items: [
        {
          id: "item_1",
          title: "A page",
          description: "",
          acceptance_criteria: [],
          priority: "high",
          status: "pending",
        },
      ],
      success_criteria: ["A lamp can be bought"],
    },
    approach: { version: 2, text: "A plain page" },
    work_folder: null,
    models: null,
    permissions: { write_mode: "autopilot", allowed_tools: null },
    time_zone: "UTC",
    workers: 2,
    run_budgets: {
      max_iterations: 20,
      max_wall_clock_ms: 3_600_000,
      max_cost_usd: null,
      max_total_tokens: null,
      max_tool_calls: null,
      hard: false,
    },
    max_cost_usd: 5,
    homr: {
      enabled: true,
      observe_after_every_task: true,
      observation_model: "haiku",
      auto_create_corrective_tasks: true,
      auto_adjust_priority: true,
      max_steering_actions_per_task: 5,
      auto_escalate: true,
      escalation_threshold: "medium",
      pause_on_escalation: true,
      max_discoveries: 50,
      context_compaction_threshold: 100,
      max_context_size: 50_000,
      failure_patterns: { lookback_count: 5, consecutive_failure_threshold: 3, healthy_alignment_threshold: 50 },
    },
    auto_resolve: { mode: "manual", threshold: 0.8, deadline_hours: null },
    clean_reviews: 0,
    last_seq: 0,
    version: 1,
    ...change,
  };
}

export function makeWireTask(number: number, change: Partial<OutcomeTask> = {}): OutcomeTask {
  return {
    id: taskIdOf(number),
    outcome_id: outcomeId,
    number,
    title: `Task ${number}`,
    description: "",
    priority: 100,
    status: "pending",
    depends_on: [],
    gates: [],
    paused_by: [],
    completion_criteria: [],
    attempts: 0,
    max_attempts: 3,
    run_id: null,
    run_status: null,
    made_by: "user",
    why: null,
    failure: null,
    corrects: null,
    split_of: null,
    checkpoint: null,
    version: 1,
    created_at: "2030-03-17T17:36:40Z",
    updated_at: "2030-03-17T17:45:40Z",
    ended_at: null,
    ...change,
  };
}

export function makeWireEscalation(change: Partial<Escalation> = {}): Escalation {
  return {
    id: escalationId,
    outcome_id: outcomeId,
    outcome_name: "A shop for lamps",
    status: "pending",
    trigger: { type: "multiple_approaches", task_id: taskIdOf(1), task_number: 1, evidence: [] },
    question: {
      text: "Which form\u001b[2J?",
      context: "Two would do",
      options: [
        { id: "plain", label: "A plain form", description: "One page", implications: "Quick", action: "proceed" },
        { id: "rich", label: "A rich form", description: "", implications: "Slow", action: "proceed" },
      ],
    },
    takes_own_words: true,
    affected_tasks: [taskIdOf(2)],
    affected_numbers: [2],
    is_whole_outcome: false,
    pauses: true,
    default_option: null,
    deadline: null,
    observation_id: null,
    is_tainted: false,
    proposed: null,
    answer: null,
    dismissed: null,
    created_at: "2030-03-17T17:45:40Z",
    ...change,
  };
}

const makeOutcomeEvent = (seq: number, event: OutcomeEvent["event"]): OutcomeEvent => ({
  outcome_id: outcomeId,
  seq,
  event,
  at: `2030-03-17T17:40:${String(seq).padStart(2, "0")}Z`,
});

/** An event, with others of the same change, and what the outcome is from then on. */
export type OutcomeScene = {
  readonly event: OutcomeEvent["event"];
  readonly together?: readonly OutcomeEvent["event"][];
  readonly outcome?: Partial<Outcome>;
};

export type OutcomeStage = {
  readonly outcome?: Partial<Outcome>;
  readonly tasks?: readonly OutcomeTask[];
  readonly open?: readonly Escalation[];
  readonly scenes?: readonly OutcomeScene[];
  readonly answers?: Answers;
  readonly server?: string | null;
};

/** One command line in front of a server with one outcome, which goes on by a scene whenever the follower is ready for it. */
export async function runWithOutcome(args: readonly string[], stage: OutcomeStage = {}, host: TestHost = {}) {
  const { tasks = [makeWireTask(1), makeWireTask(2)], server = "http://server.test" } = stage;
  let outcome = makeWireOutcome(stage.outcome);
  let open = stage.open ?? [];
  const sent: unknown[] = [];
  const page = (items: readonly unknown[]) => ({ items, next_cursor: null });
  const keep = ({ body }: { readonly body: unknown }) => {
    sent.push(body);
    return outcome;
  };
  const decided = ({ body }: { readonly body: unknown }) => {
    sent.push(body);
    const [first = makeWireEscalation()] = open;
    open = [];
    outcome = { ...outcome, open_escalations: 0 };
    return { success: true, resumed_tasks: first.affected_tasks, escalation: first };
  };
  const { services, requests } = answering({
    "GET /api/outcomes": () => page([outcome]),
    "POST /api/outcomes": keep,
    [`GET ${outcomePath}`]: () => outcome,
    [`GET ${outcomePath}/tasks`]: () => page(tasks),
    [`GET ${outcomePath}/homr`]: () => ({
      enabled: true,
      context: { discoveries: 0, decisions: 0, constraints: 0 },
      stats: { tasks_observed: 0, discoveries_extracted: 0, escalations_created: 0, steering_actions: 0 },
      recent_observations: [],
      pending_escalations: open,
      recent_activity: [],
    }),
    [`GET ${outcomePath}/homr/escalations`]: () => page(open),
    "GET /api/escalations": () => page(open),
    "GET /api/homework/runs": () => page([]),
    "GET /api/projects": () => page([makeProject()]),
    [`POST ${escalationPath}/answer`]: decided,
    [`POST ${escalationPath}/dismiss`]: decided,
    ...stage.answers,
  });
  const left = [...(stage.scenes ?? [])];
  const history: OutcomeEvent[] = [];
  const happen = ({ event, outcome: change, together = [] }: OutcomeScene) => {
    for (const each of [event, ...together]) {
      outcome = { ...outcome, last_seq: outcome.last_seq + 1 };
      history.push(makeOutcomeEvent(outcome.last_seq, each));
    }
    outcome = { ...outcome, ...change };
  };
  const play: Follow = async function* play(_route, _input, { after = 0, signal }) {
    for (let seen = after; !signal.aborted; ) {
      const next = history.find(({ seq }) => seq > seen);
      const scene = next === undefined ? left.shift() : undefined;
      if (next !== undefined) {
        seen = next.seq;
        yield { seq: next.seq, data: next as never };
      } else if (scene === undefined) await untilAborted(0, signal).catch(() => {});
      else happen(scene);
    }
  };
  const connect = async () => {
    const connected = await services.connect?.();
    if (!connected) throw new Error("bug: no connection");
    return { ...connected, follow: play };
  };
  const given = { services: { connect, connectWorking: connect, findServer: async () => server }, ...host };
  return { ...(await runInTest(args, given)), requests, sent };
}
