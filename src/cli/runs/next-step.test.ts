import type { Command } from "commander";
import { expect, test } from "vitest";
import { makeWireRun } from "../../../test/helpers/cli-runs.ts";
import { makeRun } from "../../../test/helpers/make-run.ts";
import type { Spent } from "../../domain/run/budget/budget.ts";
import { resume } from "../../domain/run/commands.ts";
import { followUp } from "../../domain/run/follow-up.ts";
import { type Run, type RunId, type RunStatus, runStatuses } from "../../domain/run/run.ts";
import { type StopReason, stopReasons } from "../../domain/run/stop-reason.ts";
import { buildProgram } from "../program.ts";
import { hostForHelp } from "../reference.ts";
import { nextStepOf } from "./next-step.ts";

const program = buildProgram(hostForHelp);
const spent: Spent = { runningMs: 90_000, costMicroUsd: 1_230_000, tokens: 50_000, toolCalls: 7, unpricedCalls: 0 };
/** Every limit is reached, so that a command that raises too few of them is refused. */
const budget = {
  ...makeRun().budget,
  maxIterations: 3,
  maxRunningMs: 90_000,
  maxCostMicroUsd: 1_230_000,
  maxTokens: 50_000,
  maxToolCalls: 7,
};

type RunState = { readonly status: RunStatus; readonly reason: StopReason | null };
const states = runStatuses.flatMap((status): readonly RunState[] =>
  status === "stopped" ? stopReasons.map((reason) => ({ status, reason })) : [{ status, reason: null }],
);

/** The run in this state, as the rules have it and as it is answered. */
function makeBoth({ status, reason }: RunState, isUsedUp: boolean) {
  const at = { status, iteration: 3, reason, detail: "" } as unknown as Run["state"];
  const room = { ...makeRun().budget, maxIterations: reason === "max_iterations" ? 3 : 20 };
  const run: Run = { ...makeRun(), spent, budget: isUsedUp ? budget : room, state: at };
  const shown = makeWireRun({
    status,
    iteration: 3,
    stop_reason: reason === null ? null : { type: reason, detail: "" },
    metrics: {
      running_ms: spent.runningMs,
      cost_total_micro_usd: spent.costMicroUsd,
      tokens_total: spent.tokens,
      tool_calls_total: spent.toolCalls,
      unpriced_calls: 0,
    },
    budgets: {
      max_iterations: run.budget.maxIterations,
      max_wall_clock_ms: run.budget.maxRunningMs,
      max_cost_usd: run.budget.maxCostMicroUsd === null ? null : run.budget.maxCostMicroUsd / 1_000_000,
      max_total_tokens: run.budget.maxTokens,
      max_tool_calls: run.budget.maxToolCalls,
      hard: false,
    },
  });
  return { run, shown };
}

type Parsed = { readonly command: Command; readonly options: Readonly<Record<string, unknown>> };

/** As a shell would hand it over; throws where the program has no such command or option. */
function parse(text: string): Parsed {
  const [home, name, ...words] = text.match(/"[^"]*"|\S+/g) ?? [];
  expect(home).toBe("homework");
  const command = program.commands.find((each) => each.name() === name) ?? expect.fail(`there is no ${name}`);
  const { operands, unknown } = command.parseOptions(words);
  expect(unknown).toEqual([]);
  expect(operands[0]).toBe("last");
  return { command, options: command.opts() };
}

/** Whether the rules let a person do it. */
function isTaken(run: Run, { command, options }: Parsed): boolean {
  const wanted = {
    maxIterations: Number(options.maxIterations ?? run.budget.maxIterations),
    maxRunningMs: options.maxMinutes === undefined ? run.budget.maxRunningMs : Number(options.maxMinutes) * 60_000,
    ...(options.maxCost === undefined ? {} : { maxCostMicroUsd: Number(options.maxCost) * 1_000_000 }),
    ...(options.maxTokens === undefined ? {} : { maxTokens: Number(options.maxTokens) }),
    ...(options.maxToolCalls === undefined ? {} : { maxToolCalls: Number(options.maxToolCalls) }),
  };
  switch (command.name()) {
    case "answer":
      return run.state.status === "waiting_on_user";
    case "resume":
      return resume(run, wanted).isDone;
    case "follow-up":
      return followUp(run, "r" as RunId, { objective: "More" } as Parameters<typeof followUp>[2]).isDone;
    case "fork":
      // It goes on from an iteration that has ended: a run that failed has ended its last one.
      return run.state.status === "failed";
    default:
      return false;
  }
}

test.for(states.flatMap((state) => [false, true].map((isUsedUp) => ({ ...state, isUsedUp }))))(
  "$status $reason, limits used up: $isUsedUp: the hint is a command that the run takes",
  ({ isUsedUp, ...state }) => {
    const { run, shown } = makeBoth(state, isUsedUp);
    const step = nextStepOf(shown, "last");
    if (state.status === "queued" || state.status === "running") return expect(step).toBeNull();
    expect(isTaken(run, parse(step?.command ?? ""))).toBe(true);
  },
);

test("what a run does not take is told from what it does", () => {
  const { run } = makeBoth({ status: "failed", reason: null }, false);
  expect(isTaken(run, parse("homework resume last"))).toBe(false);
  expect(() => parse("homework retry last")).toThrow("there is no retry");
});

test("a resume that is refused names what to do instead", () => {
  const answers = (["failed", "completed", "canceled"] as const).map((status) =>
    resume(makeBoth({ status, reason: null }, false).run, {}),
  );
  expect(answers.map((answer) => (answer.isDone ? "" : answer.why))).toEqual([
    "Only a stopped run can be resumed; this one is failed: fork it to start again from its last iteration",
    "Only a stopped run can be resumed; this one is completed: start a follow-up",
    "Only a stopped run can be resumed; this one is canceled: start a follow-up",
  ]);
});
