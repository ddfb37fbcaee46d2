// Which of the configured agents the next run gets, and why, in words. Pure: what is remembered between runs comes in and goes out.
// An agent that failed is passed over for a while; where all of them failed, the one that is free first is taken.

export const strategies = ["round-robin", "lucky", "weights"] as const;

export type SelectionPolicy = {
  /** In turn, at random, or at random by weights. */
  readonly strategy: (typeof strategies)[number];
  /** In the order of the configuration. Weight 0: only where no other is left. */
  readonly agents: readonly { readonly name: string; readonly weight: number }[];
  /** How long an agent is passed over after its first failure. */
  readonly cooldownMs: number;
};

export type Degraded = {
  readonly untilMs: number;
  readonly why: string;
  /** Failures one after the other. */
  readonly failures: number;
  /** When the provider's limit ends; null: it told none. */
  readonly limitMs: number | null;
};

/** What one run leaves to the next. */
export type SelectionMemory = {
  /** The last agent of each list of agents: projects with different lists must not disturb each other's turns. */
  readonly lastOf: Readonly<Record<string, string>>;
  readonly degraded: Readonly<Record<string, Degraded>>;
};

export const emptyMemory: SelectionMemory = { lastOf: {}, degraded: {} };

export type AgentChoice = {
  readonly name: string;
  readonly because: string;
  /** Null: it can start now. */
  readonly notBeforeMs: number | null;
};

/** Each failure in a row doubles the pause, up to this many times the first one. */
const cooldownFactorMax = 8;
/** The longest window of a subscription is a week; a time further ahead was written by a wrong clock. */
const aheadMaxMs = 8 * 24 * 3_600_000;
/** Lists of agents that are remembered; a person has a handful. */
const listsMax = 50;

/** `random` is between 0 and 1. The policy has at least one agent. */
export function chooseBackend(
  policy: SelectionPolicy,
  memory: SelectionMemory,
  nowMs: number,
  random: () => number,
): AgentChoice {
  const cooling = policy.agents.filter(({ name }) => isCooling(memory, name, nowMs));
  const free = policy.agents.filter((agent) => !cooling.includes(agent));
  const [only] = policy.agents;
  if (only === undefined) throw new RangeError("expected at least one agent");
  if (free.length === 0) return chooseFirstFree(policy, memory, nowMs);
  const passed = cooling.map(({ name }) => `${name} is passed over: ${memory.degraded[name]?.why ?? ""}`);
  const because = (why: string) => [why, ...passed].join("; ");
  if (policy.agents.length === 1)
    return { name: only.name, because: "the only agent that is configured", notBeforeMs: null };
  if (policy.strategy === "round-robin") return chooseNext(policy, memory, free, because);
  const weights = free.map(({ weight }) => (policy.strategy === "weights" ? weight : 1));
  const { name } = draw(free, weights, random());
  const among = free.map((agent, at) => (policy.strategy === "weights" ? `${agent.name} ${weights[at]}` : agent.name));
  const how = policy.strategy === "weights" ? "drawn by weight from" : "drawn at random from";
  return { name, because: because(`${how} ${among.join(", ")}`), notBeforeMs: null };
}

type Agent = SelectionPolicy["agents"][number];

/** The next free one behind the last, in the order of the list. */
function chooseNext(
  policy: SelectionPolicy,
  memory: SelectionMemory,
  free: readonly Agent[],
  because: (why: string) => string,
): AgentChoice {
  const last = memory.lastOf[listKey(policy)];
  const place = policy.agents.findIndex(({ name }) => name === last);
  const inTurn = [...policy.agents.slice(place + 1), ...policy.agents.slice(0, place + 1)];
  const { name } = inTurn.find((agent) => free.includes(agent)) ?? inTurn[0] ?? { name: "" };
  const why = place === -1 || last === undefined ? "the first in turn" : `the next in turn after ${last}`;
  return { name, because: because(why), notBeforeMs: null };
}

/** An agent is passed over for the sake of another. Without another, only a provider's limit is waited for. */
function chooseFirstFree(policy: SelectionPolicy, memory: SelectionMemory, nowMs: number): AgentChoice {
  const ends: readonly (Partial<Degraded> & { readonly name: string })[] = policy.agents.map(({ name }) => ({
    name,
    ...memory.degraded[name],
  }));
  const waits = ({ limitMs = null }: Partial<Degraded>) => Math.max(0, (limitMs ?? 0) - nowMs);
  const [first = { name: "" } as Partial<Degraded> & { readonly name: string }] = ends.toSorted(
    (one, other) => waits(one) - waits(other) || (one.untilMs ?? 0) - (other.untilMs ?? 0),
  );
  const because = `every agent has failed lately; ${first.name} is free first. It failed: ${first.why ?? ""}`;
  return { name: first.name, because, notBeforeMs: waits(first) === 0 ? null : nowMs + waits(first) };
}

function draw(agents: readonly Agent[], weights: readonly number[], random: number): Agent {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = total === 0 ? random * agents.length : random * total;
  const at = weights.findIndex((weight) => {
    left -= total === 0 ? 1 : weight;
    return left < 0;
  });
  const found = agents[at === -1 ? agents.length - 1 : at];
  if (found === undefined) throw new RangeError("expected at least one agent");
  return found;
}

export function isCooling(memory: SelectionMemory, name: string, nowMs: number): boolean {
  const { untilMs } = Object.hasOwn(memory.degraded, name) ? (memory.degraded[name] ?? {}) : {};
  return untilMs !== undefined && untilMs > nowMs && untilMs - nowMs <= aheadMaxMs;
}

/** What is remembered of a choice. */
export function rememberChoice(policy: SelectionPolicy, memory: SelectionMemory, name: string): SelectionMemory {
  const { [listKey(policy)]: _, ...others } = memory.lastOf;
  const kept = Object.entries(others).slice(1 - listsMax);
  return { ...memory, lastOf: Object.fromEntries([...kept, [listKey(policy), name]]) };
}

/** An agent that ended well is free again. */
export function rememberSuccess(memory: SelectionMemory, name: string): SelectionMemory {
  const { [name]: _, ...others } = memory.degraded;
  return { ...memory, degraded: others };
}

export type AgentFailure = {
  readonly why: string;
  /** The end of the provider's limit, where it is told. */
  readonly notBeforeMs: number | null;
};

/** Passed over for the configured time, doubled with each failure in a row, or until the provider's limit ends. */
export function rememberFailure(
  policy: SelectionPolicy,
  memory: SelectionMemory,
  name: string,
  { why, notBeforeMs }: AgentFailure,
  nowMs: number,
): SelectionMemory {
  const failures = (Object.hasOwn(memory.degraded, name) ? (memory.degraded[name]?.failures ?? 0) : 0) + 1;
  const pauseMs = policy.cooldownMs * Math.min(2 ** (failures - 1), cooldownFactorMax);
  const limitMs = notBeforeMs === null ? null : Math.min(notBeforeMs, nowMs + aheadMaxMs);
  const untilMs = Math.max(nowMs + pauseMs, limitMs ?? 0);
  return {
    ...memory,
    degraded: { ...memory.degraded, [name]: { untilMs, why: why.slice(0, 300), failures, limitMs } },
  };
}

const listKey = (policy: SelectionPolicy): string => policy.agents.map(({ name }) => name).join(",");
