// The choice of an agent with its memory on disk, in the runner's root: turns and failures are known to the next process too. A memory
// that cannot be read is begun anew, as a choice must not fail because of it.

import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { amount, nullable, object, oneOf, ordinal, orElse, record, text, tryFit } from "../../lib/shape.ts";
import { lockFile } from "../layout/lock-file.ts";
import type { RunnerRoot } from "../layout/runner-root.ts";
import { writeText } from "../layout/text.ts";
import { readYaml, toYaml } from "../layout/yaml-file.ts";
import type { Verdict } from "./backend.ts";
import {
  type AgentChoice,
  chooseBackend,
  emptyMemory,
  isCooling,
  rememberChoice,
  rememberFailure,
  rememberSuccess,
  type SelectionMemory,
  type SelectionPolicy,
} from "./choose-backend.ts";

/** Beside the projects; no project can have a name that begins so. */
const fileName = "_agents.yaml";
const lockWaitMs = 5_000;
/** Agents in a configuration; more in the file are not ours. */
const degradedMax = 200;

const memoryShape = object({
  version: oneOf(1),
  last_of: record(text),
  degraded: record(
    object({ until_ms: amount, why: text, failures: ordinal, limit_ms: orElse(nullable(amount), null) }),
  ),
});

/** Chooses an agent and takes its turn. */
export function selectBackend(root: RunnerRoot, policy: SelectionPolicy): Promise<AgentChoice> {
  if (policy.agents.length === 0)
    throw new AppError("unprocessable", "No agent is configured. Add one with run-agent config init.");
  return changeMemory(root, (memory) => {
    const choice = chooseBackend(policy, memory, root.env.now(), root.env.random);
    return { memory: rememberChoice(policy, memory, choice.name), answer: choice };
  });
}

/** Whether an agent other than this one could start now. */
export function hasOtherAgent(root: RunnerRoot, policy: SelectionPolicy, name: string): boolean {
  const memory = readMemory(root, path.join(root.folder, fileName));
  return policy.agents.some((agent) => agent.name !== name && !isCooling(memory, agent.name, root.env.now()));
}

/** Remembers how a run of that agent ended. */
export function recordVerdict(
  root: RunnerRoot,
  policy: SelectionPolicy,
  name: string,
  verdict: Verdict,
): Promise<void> {
  return changeMemory(root, (memory) => {
    if (verdict.kind === "ok") return { memory: rememberSuccess(memory, name), answer: undefined };
    const notBeforeMs = verdict.kind === "transient" ? verdict.notBeforeMs : null;
    const failure = { why: verdict.why, notBeforeMs };
    return { memory: rememberFailure(policy, memory, name, failure, root.env.now()), answer: undefined };
  });
}

function changeMemory<T>(
  root: RunnerRoot,
  change: (memory: SelectionMemory) => { readonly memory: SelectionMemory; readonly answer: T },
): Promise<T> {
  const file = path.join(root.folder, fileName);
  return lockFile(root, file, lockWaitMs, async () => {
    const before = readMemory(root, file);
    const { memory, answer } = change(before);
    if (memory !== before) writeText(root.disk, file, toText(memory));
    return answer;
  });
}

function readMemory(root: RunnerRoot, file: string): SelectionMemory {
  const read = readYaml(root.disk, file);
  const memory = read.kind === "mapping" ? tryFit(memoryShape, read.value) : null;
  if (memory === null) return emptyMemory;
  const degraded = Object.entries(memory.degraded).map(([name, each]) => {
    const { until_ms: untilMs, why, failures, limit_ms: limitMs } = each;
    return [name, { untilMs, why, failures, limitMs }];
  });
  return { lastOf: memory.last_of, degraded: Object.fromEntries(degraded) };
}

function toText({ lastOf, degraded }: SelectionMemory): string {
  const kept = Object.entries(degraded)
    .slice(-degradedMax)
    .map(([name, { untilMs, why, failures, limitMs }]) => [
      name,
      { until_ms: untilMs, why: why.toWellFormed(), failures, limit_ms: limitMs },
    ]);
  return toYaml({ version: 1, last_of: lastOf, degraded: Object.fromEntries(kept) });
}
