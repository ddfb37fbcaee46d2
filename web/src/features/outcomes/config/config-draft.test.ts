import { expect, test } from "vitest";
import { homrConfig } from "../../../../../src/protocol/routes/homr-config-shapes.ts";
import { makeWireOutcome } from "../../../../../test/helpers/cli-outcomes.ts";
import { boundsOf, changesOf, draftOfConfig, isChanged, numberKeys, problemsOfConfig } from "./config-draft.ts";
import { switchWords } from "./config-spec.ts";

const { homr: config, auto_resolve } = makeWireOutcome();
const settings = { config, auto_resolve };
const draft = draftOfConfig(settings);

test("every setting has its words", () => {
  const { failure_patterns: patterns, ...flat } = homrConfig.shape;
  const all = [...Object.keys(flat), ...Object.keys(patterns.shape).map((name) => `failure_patterns.${name}`)];
  const shown = [...Object.keys(switchWords), ...numberKeys, "enabled", "observation_model", "escalation_threshold"];
  expect(shown.toSorted()).toEqual(all.toSorted());
});

test("nothing is sent of what was not changed", () => {
  const changes = changesOf(draft, settings);
  expect([changes, isChanged(changes)]).toEqual([{ config: {}, auto_resolve: {} }, false]);
});

test("what was changed is sent alone, in its place", () => {
  const numbers = { ...draft.numbers, max_discoveries: 20, failure_patterns__lookback_count: 9 };
  const changed = { ...draft, enabled: false, numbers, mode: "full_auto", sureness: 95 };
  expect(changesOf(changed, settings)).toEqual({
    config: { enabled: false, max_discoveries: 20, failure_patterns: { lookback_count: 9 } },
    auto_resolve: { mode: "full_auto", threshold: 0.95 },
  });
});

test("a deadline for questions is set, taken back, and kept within a month", () => {
  const twoDays = { ...draft, deadlineHours: 48 };
  expect(changesOf(twoDays, settings).auto_resolve).toEqual({ deadline_hours: 48 });
  const set = { ...settings, auto_resolve: { ...auto_resolve, deadline_hours: 48 } };
  expect(draftOfConfig(set).deadlineHours).toBe(48);
  expect(changesOf({ ...draftOfConfig(set), deadlineHours: "" }, set).auto_resolve).toEqual({ deadline_hours: null });
  expect(problemsOfConfig({ ...draft, deadlineHours: 721 })).toEqual({
    deadlineHours: "A whole number from 1 to 720",
  });
});

test("a model of one's own is named", () => {
  expect(changesOf({ ...draft, model: "other", modelName: " lab/one " }, settings).config).toEqual({
    observation_model: "lab/one",
  });
  expect(draftOfConfig({ ...settings, config: { ...config, observation_model: "lab/one" } })).toMatchObject({
    model: "other",
    modelName: "lab/one",
  });
});

test("the bounds are the server's", () => {
  for (const key of numberKeys) {
    const { from, to } = boundsOf(key);
    expect(to, key).toBeGreaterThan(from);
    expect(to, key).toBeLessThanOrEqual(200_000);
  }
  const numbers = {
    ...draft.numbers,
    max_discoveries: 501,
    max_context_size: "",
    failure_patterns__lookback_count: 1.5,
  };
  expect(problemsOfConfig({ ...draft, numbers, model: "other", mode: "semi_auto", sureness: 101 })).toEqual({
    "numbers.max_discoveries": "A whole number from 1 to 500",
    "numbers.max_context_size": "A whole number from 1,000 to 200,000",
    "numbers.failure_patterns__lookback_count": "A whole number from 1 to 50",
    modelName: "Name a model",
    sureness: "A whole number from 0 to 100",
  });
  expect(problemsOfConfig(draft)).toEqual({});
});
