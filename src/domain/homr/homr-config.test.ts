// Every key of the configuration changes what happens. A key without a test does not compile.

import { describe, expect, test } from "vitest";
import {
  activitiesOf,
  makeObservation,
  makeState,
  makeSummary,
  makeTask,
  makeWorld,
  taskId,
} from "../../../test/helpers/make-outcome.ts";
import { briefOf } from "./context/brief.ts";
import { defaultHomrConfig, type HomrConfig, homrConfig } from "./homr-config.ts";
import { applyObservation } from "./observe/apply-observation.ts";
import type { DriftItem, FoundDiscovery, Observation } from "./observe/observation.ts";
import { chooseObservationModel } from "./observe/observation-model.ts";
import { shouldObserve } from "./observe/read-observation.ts";
import type { OutcomeMove, OutcomeState } from "./outcome-state.ts";

type Change = Partial<HomrConfig>;
/** What can be seen of a configuration; it has to differ between the two. */
type Shown = { readonly usual?: Change; readonly other: Change; readonly see: (config: Change) => unknown };

const drift: DriftItem = { type: "scope_creep", description: "A chat", severity: "high", evidence: "" };
const found = (n: number): FoundDiscovery => ({
  type: "constraint",
  content: `Fact number ${n} of this outcome`,
  relevantTasks: ["*"],
  source: "",
});
const facts = (count: number) => Array.from({ length: count }, (_, n) => found(n));
const doubt = {
  type: "multiple_approaches",
  description: "Two forms would do",
  evidence: [],
  affectedTasks: [2],
  suggestedQuestion: "Which form?",
} as const;

function apply(over: Partial<Observation>, config: Change, state: Partial<OutcomeState> = {}): OutcomeMove {
  return applyObservation(makeState(state, config), makeObservation(over), "", null, makeWorld());
}
const countTasks = (move: OutcomeMove) => move.state.tasks.length;
const countActions = (move: OutcomeMove) => activitiesOf(move).filter(({ type }) => type === "steering").length;
const triggers = (move: OutcomeMove) => move.state.escalations.map(({ trigger }) => trigger);
const good = { taskId: taskId(1), hasSucceeded: true };

const keys: Readonly<Record<Exclude<keyof HomrConfig, "failurePatterns">, Shown>> = {
  enabled: { other: { enabled: false }, see: (config) => shouldObserve(makeState({}, config), good) },
  observeAfterEveryTask: {
    other: { observeAfterEveryTask: false },
    see: (config) => shouldObserve(makeState({}, config), good),
  },
  observationModel: {
    other: { observationModel: "sonnet" },
    see: (config) => chooseObservationModel({ ...defaultHomrConfig, ...config }),
  },
  autoCreateCorrectiveTasks: {
    other: { autoCreateCorrectiveTasks: false },
    see: (config) => countTasks(apply({ drift: [drift] }, config)),
  },
  autoAdjustPriority: {
    other: { autoAdjustPriority: false },
    see: (config) => {
      const wishes = [{ type: "update_priority", task: 2, priority: 3, reason: "sooner" } as const];
      return apply({ wishes }, config).state.tasks.map(({ priority }) => priority);
    },
  },
  maxSteeringActionsPerTask: {
    other: { maxSteeringActionsPerTask: 2 },
    see: (config) => countActions(apply({ discoveries: facts(10) }, config)),
  },
  autoEscalate: { other: { autoEscalate: false }, see: (config) => triggers(apply({ ambiguity: doubt }, config)) },
  escalationThreshold: {
    other: { escalationThreshold: "high" },
    see: (config) => triggers(apply({ ambiguity: doubt }, config)),
  },
  pauseOnEscalation: {
    other: { pauseOnEscalation: false },
    see: (config) => apply({ ambiguity: doubt }, config).state.tasks.map(({ status }) => status),
  },
  maxDiscoveries: {
    other: { maxDiscoveries: 5 },
    see: (config) => apply({ discoveries: facts(20) }, config).state.context.discoveries.length,
  },
  contextCompactionThreshold: {
    other: { contextCompactionThreshold: 10 },
    see: (config) => {
      const { discoveries, constraints, injections } = apply({ discoveries: facts(20) }, config).state.context;
      return discoveries.length + constraints.length + injections.length;
    },
  },
  maxContextSize: {
    other: { maxContextSize: 1_000 },
    see: (config) => {
      const { state } = apply({ discoveries: facts(20) }, config);
      return briefOf(state, makeTask(2)).context.length;
    },
  },
};

const bad = { hasSucceeded: false, alignmentScore: 60 };
const failures = [makeSummary({ ...bad, id: "a" }), makeSummary({ ...bad, id: "b" })];
const falling = [95, 90, 52, 51].map((alignmentScore, n) => makeSummary({ alignmentScore, id: `o${n}` }));

const patternKeys: Readonly<Record<keyof HomrConfig["failurePatterns"], Shown>> = {
  lookbackCount: {
    other: patterns({ lookbackCount: 3 }),
    see: (config) => triggers(apply({ alignmentScore: 49 }, config, { history: falling })),
  },
  consecutiveFailureThreshold: {
    other: patterns({ consecutiveFailureThreshold: 4 }),
    see: (config) => triggers(apply(bad, config, { history: failures })),
  },
  healthyAlignmentThreshold: {
    other: patterns({ healthyAlignmentThreshold: 30 }),
    see: (config) => triggers(apply({ alignmentScore: 40 }, config, { history: failures })),
  },
};

function patterns(over: Partial<HomrConfig["failurePatterns"]>): Change {
  return { failurePatterns: { ...defaultHomrConfig.failurePatterns, ...over } };
}

describe.each([...Object.entries(keys), ...Object.entries(patternKeys)])("%s", (_key, { other, see }) => {
  test("changes what happens", () => {
    expect(see(other)).not.toEqual(see({}));
  });
  test("may be set so", () => expect(homrConfig.safeParse({ ...defaultHomrConfig, ...other }).success).toBe(true));
});

test("the usual configuration is a valid one", () =>
  expect(homrConfig.parse(defaultHomrConfig)).toEqual(defaultHomrConfig));
