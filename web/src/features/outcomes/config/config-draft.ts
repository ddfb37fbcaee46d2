// What the form of HOMЯ's settings holds, what has to be right before it is sent, and what was changed. The bounds are the server's. Pure.

import type { routes } from "../../../../../src/protocol/api.ts";
import type { RouteInput, RouteResult } from "../../../../../src/protocol/route.ts";
import { homrConfig } from "../../../../../src/protocol/routes/homr-config-shapes.ts";
import { modelChoices, type NumberKey, numberWords, type SwitchKey, switchWords } from "./config-spec.ts";

export type ConfigSettings = Pick<RouteResult<typeof routes.homr.config>, "config" | "auto_resolve">;
type Change = RouteInput<typeof routes.homr.setConfig>["body"];

export type ConfigDraft = {
  enabled: boolean;
  switches: Record<SwitchKey, boolean>;
  /** Empty while one is being typed. Dots would be parts of a form's path. */
  numbers: Record<string, number | string>;
  model: string;
  /** Where `model` is "other". */
  modelName: string;
  threshold: string;
  mode: string;
  /** Percent. */
  sureness: number | string;
  /** Empty: a question waits for as long as it takes. */
  deadlineHours: number | string;
};

export const numberKeys = Object.keys(numberWords) as NumberKey[];
const switchKeys = Object.keys(switchWords) as SwitchKey[];
/** The name of a number in the form. */
export const fieldOf = (key: NumberKey): string => key.replace(".", "__");

export function draftOfConfig({ config, auto_resolve: auto }: ConfigSettings): ConfigDraft {
  const isUsual = modelChoices.some(({ value }) => value === config.observation_model);
  return {
    enabled: config.enabled,
    switches: Object.fromEntries(switchKeys.map((key) => [key, config[key]])) as ConfigDraft["switches"],
    numbers: Object.fromEntries(numberKeys.map((key) => [fieldOf(key), numberIn(config, key)])),
    model: isUsual ? config.observation_model : "other",
    modelName: isUsual ? "" : config.observation_model,
    threshold: config.escalation_threshold,
    mode: auto.mode,
    sureness: Math.round(auto.threshold * 100),
    deadlineHours: auto.deadline_hours ?? "",
  };
}

export function numberIn(config: ConfigSettings["config"], key: NumberKey): number {
  const [, name] = key.split(".") as [string, keyof typeof config.failure_patterns | undefined];
  return name === undefined
    ? config[key as Exclude<NumberKey, `failure_patterns.${string}`>]
    : config.failure_patterns[name];
}

export type Bounds = { readonly from: number; readonly to: number };

const percent: Bounds = { from: 0, to: 100 };
/** A month. */
const deadline: Bounds = { from: 1, to: 720 };

export function boundsOf(key: NumberKey): Bounds {
  const shape = homrConfig.shape;
  const [, name] = key.split(".") as [string, keyof typeof shape.failure_patterns.shape | undefined];
  const number =
    name === undefined
      ? shape[key as Exclude<NumberKey, `failure_patterns.${string}`>]
      : shape.failure_patterns.shape[name];
  return { from: number.minValue ?? 0, to: number.maxValue ?? Number.MAX_SAFE_INTEGER };
}

/** Field of the form → what is wrong with it. */
export function problemsOfConfig(draft: ConfigDraft): Record<string, string> {
  const numbers = numberKeys.map((key) => [
    `numbers.${fieldOf(key)}`,
    numberProblem(draft.numbers[fieldOf(key)], boundsOf(key)),
  ]);
  const all = [
    ...numbers,
    ["modelName", draft.model === "other" && draft.modelName.trim() === "" ? "Name a model" : null],
    ["sureness", draft.mode === "manual" ? null : numberProblem(draft.sureness, percent)],
    ["deadlineHours", draft.deadlineHours === "" ? null : numberProblem(draft.deadlineHours, deadline)],
  ];
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
}

function numberProblem(value: number | string | undefined, { from, to }: Bounds): string | null {
  const number = value === undefined || value === "" ? Number.NaN : Number(value);
  if (Number.isInteger(number) && number >= from && number <= to) return null;
  return `A whole number from ${from.toLocaleString("en")} to ${to.toLocaleString("en")}`;
}

/** Only what differs from what is set. */
export function changesOf(draft: ConfigDraft, { config, auto_resolve: auto }: ConfigSettings): Change {
  const model = draft.model === "other" ? draft.modelName.trim() : draft.model;
  const wanted: ConfigSettings["config"] = {
    ...config,
    ...draft.switches,
    enabled: draft.enabled,
    observation_model: model,
    escalation_threshold: draft.threshold as typeof config.escalation_threshold,
    ...numbersBelow(draft, ""),
    failure_patterns: numbersBelow(draft, "failure_patterns.") as typeof config.failure_patterns,
  };
  const { failure_patterns: patterns, ...flat } = wanted;
  const changedPatterns = changedOf(patterns, config.failure_patterns);
  const chosen: Partial<typeof auto> = {
    mode: draft.mode as typeof auto.mode,
    // Hidden while a person answers, it may be anything then.
    ...(numberProblem(draft.sureness, percent) === null ? { threshold: Number(draft.sureness) / 100 } : {}),
    deadline_hours: draft.deadlineHours === "" ? null : Number(draft.deadlineHours),
  };
  return {
    config: {
      ...changedOf(flat, config),
      ...(Object.keys(changedPatterns).length === 0 ? {} : { failure_patterns: changedPatterns }),
    },
    auto_resolve: changedOf(chosen, auto),
  };
}

/** Those whose names begin with `prefix` and go no deeper. */
const numbersBelow = ({ numbers }: ConfigDraft, prefix: string): Record<string, number> =>
  Object.fromEntries(
    numberKeys
      .filter((key) => key.startsWith(prefix) && !key.slice(prefix.length).includes("."))
      .map((key) => [key.slice(prefix.length), Number(numbers[fieldOf(key)])]),
  );

function changedOf<Thing extends object>(wanted: Thing, now: object): Partial<Thing> {
  const entries = Object.entries(wanted).filter(([key, value]) => (now as Record<string, unknown>)[key] !== value);
  return Object.fromEntries(entries) as Partial<Thing>;
}

export const isChanged = ({ config = {}, auto_resolve: auto = {} }: Change): boolean =>
  Object.keys(config).length + Object.keys(auto).length > 0;
