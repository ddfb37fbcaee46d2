// What the server says about the models of this process: who does what, where they come from, and what else may be chosen.
// Found out when someone asks for the first time, since looking for models takes a moment.

import { type RunModels, runModelRoles } from "../domain/run/run-models.ts";
import type { Logger } from "../lib/logger.ts";
import { parseModelId } from "../llm/model-id.ts";
import type { ModelsPort, ShownModels } from "../server/ports/models.ts";
import type { ModelsSource } from "./models-source.ts";
import type { OpenModels } from "./open-models.ts";

type ShowInput = { readonly source: ModelsSource; readonly logger: Logger };

export function showModels({ source, logger }: ShowInput): ModelsPort {
  const models = (): Promise<OpenModels | null> =>
    source.open().catch((error: unknown) => {
      logger.warn({ error }, "the models could not be opened");
      return null;
    });
  return {
    show: async () => {
      const found = await models();
      return found === null ? unknown : toShown(found);
    },
    findProblem: async (names) => {
      const found = await models();
      if (found === null) return unknown.about;
      const problems = await Promise.all([...new Set(names)].map(found.findProblem));
      return problems.find((problem) => problem !== null) ?? null;
    },
    findUnpriced: async (chosen) => {
      const found = await models();
      return found === null ? [] : unpricedOf(found, chosen);
    },
  };
}

function unpricedOf({ describe, isPriced }: OpenModels, chosen: RunModels | null): readonly string[] {
  const names = describe().flatMap(({ role, models }) => {
    const own = runModelRoles.find((each) => each === role);
    if (own === undefined) return [];
    return [...(chosen?.[own] === undefined ? [] : [chosen[own]]), ...models.map(({ model }) => model.id)];
  });
  return [...new Set(names)].filter((name) => {
    const model = parseModelId(name);
    return model === null || !isPriced(model);
  });
}

/** The reason may name internal addresses; it is meant for the administrator of the installation. */
const unknown: ShownModels = {
  isDemo: false,
  about:
    "The models could not be opened. The person who manages this installation sees why with `homework model list`.",
  roles: [],
  choices: [],
};

function toShown({ describe, choices }: Pick<OpenModels, "describe" | "choices">): ShownModels {
  const roles = describe();
  const isDemo = roles.some(({ role, models }) => role === "planner" && models[0]?.model.isDemo === true);
  const sources = [...new Set(roles.map(({ from }) => from))];
  return {
    isDemo,
    about: isDemo ? aboutDemo(sources) : `The models come from: ${sources.join("; ")}.`,
    roles: roles.map(({ role, models }) => {
      const [first = "", ...fallbacks] = models.map(({ model }) => model.id);
      return { role, model: first, fallbacks };
    }),
    choices,
  };
}

const aboutDemo = (sources: readonly string[]) =>
  `The demo model plays by rules (${sources.join("; ")}): it is no AI and costs nothing. For real work save a key under Settings → Models, which is used at once; or set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, or start Ollama, before you start Homework.`;
