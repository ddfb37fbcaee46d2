// What settings must be together. Pure.

import { didYouMean } from "../../lib/nearest.ts";
import { quote } from "../layout/ids.ts";
import type { RunnerConfig } from "./runner-config.ts";

/** These are found on PATH and need no block of their own. */
const foundOnPath = ["claude", "codex", "gemini", "opencode"];
const needCommand = ["command", "acp"];

/** `placeOf`: where a setting was given. */
export function checkConfig(config: RunnerConfig, placeOf: (name: string) => string): readonly string[] {
  const { selection, agents } = config;
  const known = [...new Set([...agents.map(({ name }) => name), ...foundOnPath])];
  const unknown = (name: string, agent: string): readonly string[] =>
    known.includes(agent)
      ? []
      : [`${placeOf(name)}: ${name} names ${quote(agent)}, which is not an agent.${didYouMean(agent, known)}`];
  return [
    ...(config.stuckThresholdMs > config.idleThresholdMs
      ? []
      : [`${placeOf("stuck_threshold")}: stuck_threshold must be longer than idle_threshold.`]),
    ...(selection.strategy !== "weights" || [...selection.weights.values()].some((weight) => weight > 0)
      ? []
      : [
          `${placeOf("selection.strategy")}: selection.strategy is weights, so selection.weights needs a weight above 0.`,
        ]),
    ...(selection.weights.size > 0 && selection.strategy !== "weights" && placeOf("selection.strategy") === "default"
      ? ['selection.weights has no effect without selection.strategy = "weights".']
      : []),
    ...selection.order.flatMap((agent) => unknown("selection.order", agent)),
    ...[...selection.weights.keys()].flatMap((agent) => unknown(`selection.weights.${agent}`, agent)),
    ...agents
      .filter(({ type, command }) => needCommand.includes(type) && command.length === 0)
      .map(
        ({ name, type }) => `${placeOf(`agents.${name}.type`)}: agents.${name} has type ${type} and needs a command.`,
      ),
  ];
}
