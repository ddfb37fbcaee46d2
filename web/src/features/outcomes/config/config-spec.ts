// Every setting of HOMЯ in plain words: what it is called, what it changes, and how its values read. A test holds it to the contract.

import type { routes } from "../../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../../src/protocol/route.ts";

type Config = RouteResult<typeof routes.homr.config>["config"];
type KeysOf<Value> = { [Key in keyof Config]: Config[Key] extends Value ? Key : never }[keyof Config];
export type SwitchKey = Exclude<KeysOf<boolean>, "enabled">;
export type NumberKey = KeysOf<number> | `failure_patterns.${keyof Config["failure_patterns"]}`;

type Words = { readonly label: string; readonly about: string };

export const switchWords: Readonly<Record<SwitchKey, Words>> = {
  observe_after_every_task: {
    label: "Check every finished task",
    about: "Off: HOMЯ checks only failed attempts and the last open task. Costs less, notices less.",
  },
  auto_create_corrective_tasks: {
    label: "Add tasks",
    about: "When a result is not what you asked for, HOMЯ adds a task that corrects it.",
  },
  auto_adjust_priority: {
    label: "Change priorities",
    about: "HOMЯ may move tasks up or down in the queue.",
  },
  auto_escalate: {
    label: "Ask me",
    about: "HOMЯ asks when something is unclear or work keeps failing. Off: the tasks decide themselves.",
  },
  pause_on_escalation: {
    label: "Pause affected tasks until I answer",
    about: "Off: affected tasks continue while the question is open.",
  },
};

export const numberWords: Readonly<Record<NumberKey, Words>> = {
  max_steering_actions_per_task: {
    label: "Changes per finished task",
    about: "The most HOMЯ may change after checking one task. 0: HOMЯ only watches.",
  },
  max_discoveries: {
    label: "Discoveries to keep",
    about: "Beyond this, the least relevant are condensed into one.",
  },
  context_compaction_threshold: {
    label: "Notes to keep",
    about: "Discoveries, decisions, constraints and notes together. Beyond this, the least relevant are condensed.",
  },
  max_context_size: {
    label: "Notes in a prompt, in characters",
    about: "How much of what HOMЯ knows a worker is told. The most important comes first.",
  },
  "failure_patterns.consecutive_failure_threshold": {
    label: "Failures in a row",
    about: "After this many, all work pauses and you are asked.",
  },
  "failure_patterns.lookback_count": {
    label: "Attempts to look back at",
    about: "Declining quality and repeated drift are looked for in this many.",
  },
  "failure_patterns.healthy_alignment_threshold": {
    label: "Lowest healthy score",
    about: "An attempt that fits the intent less than this (0 to 100) counts as a failure.",
  },
};

export const modelChoices = [
  { value: "haiku", label: "Small model" },
  { value: "sonnet", label: "Main model" },
  { value: "other", label: "Another model" },
] as const;

export const thresholdChoices = [
  { value: "low", label: "Soon: a small doubt is enough" },
  { value: "medium", label: "Balanced" },
  { value: "high", label: "Seldom: only for strong doubts" },
] as const;

export const modeChoices = [
  { value: "manual", label: "I answer" },
  { value: "semi_auto", label: "A model proposes, I confirm" },
  { value: "full_auto", label: "A model answers if it is sure enough" },
] as const;
