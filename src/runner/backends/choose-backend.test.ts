import { afterEach, expect, test } from "vitest";
import { makeRoot, removeFolders } from "../../../test/helpers/runner-root.ts";
import type { Instant } from "../../lib/env.ts";
import { realEnv } from "../../main/env.ts";
import { writeText } from "../layout/text.ts";
import {
  chooseBackend,
  emptyMemory,
  rememberChoice,
  rememberFailure,
  rememberSuccess,
  type SelectionMemory,
  type SelectionPolicy,
} from "./choose-backend.ts";
import { recordVerdict, selectBackend } from "./select-backend.ts";

afterEach(removeFolders);

const minute = 60_000;
const policy: SelectionPolicy = {
  strategy: "round-robin",
  agents: ["claude", "codex", "gemini"].map((name) => ({ name, weight: 1 })),
  cooldownMs: 10 * minute,
};
const half = () => 0.5;

/** The agents of so many runs one after the other. */
function chooseMany(
  count: number,
  start: SelectionMemory = emptyMemory,
  nowMs = 0,
  over: Partial<SelectionPolicy> = {},
) {
  let memory = start;
  return Array.from({ length: count }, () => {
    const { name } = chooseBackend({ ...policy, ...over }, memory, nowMs, half);
    memory = rememberChoice({ ...policy, ...over }, memory, name);
    return name;
  });
}
const failed = (name: string, nowMs = 0, notBeforeMs: number | null = null, memory = emptyMemory) =>
  rememberFailure(policy, memory, name, { why: "status 429", notBeforeMs }, nowMs);

test("agents take turns", () => expect(chooseMany(4)).toEqual(["claude", "codex", "gemini", "claude"]));
test("a reason says whose turn it was before", () => {
  const memory = rememberChoice(policy, emptyMemory, "claude");
  expect(chooseBackend(policy, memory, 0, half).because).toBe("the next in turn after claude");
});
test("an agent that failed is passed over, and the reason says why", () => {
  expect(chooseMany(3, failed("codex"))).toEqual(["claude", "gemini", "claude"]);
  expect(chooseBackend(policy, failed("claude"), 0, half).because).toBe(
    "the first in turn; claude is passed over: status 429",
  );
});
test("after its pause it has its turn again", () => {
  expect(chooseMany(2, failed("codex"), 10 * minute - 1)).toEqual(["claude", "gemini"]);
  expect(chooseMany(2, failed("codex"), 10 * minute)).toEqual(["claude", "codex"]);
});
test("each failure in a row doubles the pause, eight times at most", () => {
  let memory = emptyMemory;
  const pauses = Array.from({ length: 6 }, () => {
    memory = failed("codex", 0, null, memory);
    return (memory.degraded.codex?.untilMs ?? 0) / minute;
  });
  expect(pauses).toEqual([10, 20, 40, 80, 80, 80]);
  expect(rememberSuccess(memory, "codex").degraded).toEqual({});
});
test("a limit's end that is told later than the pause counts", () => {
  expect(failed("codex", 0, 300 * minute).degraded.codex?.untilMs).toBe(300 * minute);
  expect(failed("codex", 0, 1).degraded.codex?.untilMs).toBe(10 * minute);
});
test("where all failed, the one that is free first is taken, at once", () => {
  const memory = failed("gemini", 2, null, failed("codex", 1, null, failed("claude", 3)));
  expect(chooseBackend(policy, memory, 5, half)).toEqual({
    name: "codex",
    because: "every agent has failed lately; codex is free first. It failed: status 429",
    notBeforeMs: null,
  });
});
test("only a provider's limit is waited for, and an agent without one comes first", () => {
  const all = failed("gemini", 0, 300 * minute, failed("codex", 0, 200 * minute, failed("claude", 0, 100 * minute)));
  expect(chooseBackend(policy, all, 5, half)).toMatchObject({ name: "claude", notBeforeMs: 100 * minute });
  const memory = failed("gemini", 5 * minute, null, all);
  expect(chooseBackend(policy, memory, 5 * minute, half)).toMatchObject({ name: "gemini", notBeforeMs: null });
});
test("a pause from a clock that was wrong by years is not kept", () => {
  const memory = { lastOf: {}, degraded: { claude: { untilMs: 1e13, why: "x", failures: 1, limitMs: 1e13 } } };
  expect(chooseBackend(policy, memory, 0, half).name).toBe("claude");
});
test("one agent alone needs no turns", () => {
  const alone = { ...policy, agents: [{ name: "claude", weight: 0 }] };
  expect(chooseBackend(alone, emptyMemory, 0, half).because).toBe("the only agent that is configured");
});
test("lists of agents do not disturb each other's turns", () => {
  let memory = emptyMemory;
  const other = {
    ...policy,
    agents: [
      { name: "gemini", weight: 1 },
      { name: "opencode", weight: 1 },
    ],
  };
  const names = [policy, other, policy, other, policy].map((each) => {
    const { name } = chooseBackend(each, memory, 0, half);
    memory = rememberChoice(each, memory, name);
    return name;
  });
  expect(names).toEqual(["claude", "gemini", "codex", "opencode", "gemini"]);
});

const drawn = (strategy: SelectionPolicy["strategy"], weights: readonly number[], random: number) => {
  const agents = policy.agents.map(({ name }, at) => ({ name, weight: weights[at] ?? 0 }));
  return chooseBackend({ ...policy, strategy, agents }, emptyMemory, 0, () => random);
};
test("lucky draws each alike", () => {
  expect([0, 0.34, 0.67, 0.9999].map((random) => drawn("lucky", [0, 0, 9], random).name)).toEqual([
    ...["claude", "codex", "gemini", "gemini"],
  ]);
  expect(drawn("lucky", [], 0).because).toBe("drawn at random from claude, codex, gemini");
});
test("weights draw by their shares, and weight 0 never while another is free", () => {
  expect([0, 0.24, 0.26, 0.9999].map((random) => drawn("weights", [1, 3, 0], random).name)).toEqual([
    ...["claude", "claude", "codex", "codex"],
  ]);
  expect(drawn("weights", [1, 3, 0], 0).because).toBe("drawn by weight from claude 1, codex 3, gemini 0");
  expect(drawn("weights", [0, 0, 0], 0.9).name).toBe("gemini");
});
test("names that every object has are names like any other", () => {
  const odd = { ...policy, agents: ["constructor", "__proto__", "toString"].map((name) => ({ name, weight: 1 })) };
  expect(chooseBackend(odd, emptyMemory, 0, half).name).toBe("constructor");
});

const at = (nowMs: number) => ({ ...realEnv, now: () => nowMs as Instant, random: half });

test("turns and failures are remembered by the next process", async () => {
  const root = makeRoot({ env: at(0) });
  const later = () => makeRoot({ folder: root.folder, env: at(0) });
  expect((await selectBackend(root, policy)).name).toBe("claude");
  await recordVerdict(later(), policy, "codex", { kind: "transient", why: "status 429", notBeforeMs: null });
  expect(await selectBackend(later(), policy)).toMatchObject({
    name: "gemini",
    because: "the next in turn after claude; codex is passed over: status 429",
  });
  await recordVerdict(later(), policy, "codex", { kind: "ok" });
  expect((await selectBackend(later(), policy)).name).toBe("claude");
  expect((await selectBackend(later(), policy)).name).toBe("codex");
});

test("processes that choose at once take different turns", async () => {
  const root = makeRoot({ env: { ...realEnv, random: half } });
  const names = await Promise.all(
    Array.from({ length: 6 }, async () => (await selectBackend(makeRoot({ folder: root.folder }), policy)).name),
  );
  expect(names.toSorted()).toEqual(["claude", "claude", "codex", "codex", "gemini", "gemini"]);
});

test.each(["", "torn: [", "version: 9\n", "version: 1\nlast_of: {}\ndegraded: {claude: 7}\n"])(
  "a memory that reads %j is begun anew",
  async (text) => {
    const root = makeRoot({ env: at(0) });
    writeText(root.disk, `${root.folder}/_agents.yaml`, text);
    expect((await selectBackend(root, policy)).name).toBe("claude");
    expect((await selectBackend(root, policy)).name).toBe("codex");
  },
);

test("without an agent there is no choice", () => {
  expect(() => selectBackend(makeRoot(), { ...policy, agents: [] })).toThrow("No agent is configured");
});
