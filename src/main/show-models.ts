// What the server says about the models of this process: who does what, where they come from, and what else may be chosen.
// Found out when someone asks for the first time, since looking for models takes a moment; it holds as long as the process.

import type { Logger } from "../lib/logger.ts";
import type { ModelsPort, ShownModels } from "../runs/models-port.ts";
import type { Config } from "./config-schema.ts";
import { realEnv } from "./env.ts";
import type { OpenModels } from "./open-models.ts";

type ShowInput = { readonly config: Config; readonly logger: Logger };

export function showModels({ config, logger }: ShowInput, fetchPage: typeof fetch = fetch): ModelsPort {
  let shown: Promise<ShownModels> | null = null;
  const open = async () => {
    const { openModels } = await import("./open-models.ts");
    return toShown(await openModels(config, realEnv, logger, fetchPage));
  };
  return {
    show: () => {
      shown ??= open();
      return shown.catch((error: unknown) => {
        shown = null; // What was wrong may be mended by the next time.
        logger.warn({ error }, "the models could not be opened");
        return unknown;
      });
    },
  };
}

/** The reason may name addresses inside the house; it is for whoever manages the installation. */
const unknown: ShownModels = {
  isDemo: false,
  about: "The models could not be opened. Whoever manages this installation sees why with `homework model list`.",
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
  `The demo model plays by rules (${sources.join("; ")}): it is no AI and costs nothing. For real work set a key, such as ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, or start Ollama, and start Homework again.`;
