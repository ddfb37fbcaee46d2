// The models of this process, opened once for everything in it that asks one. A change of the settings replaces them while the
// process goes on: calls under way end as they began, the next ones ask the new models.

import type { Logger } from "../lib/logger.ts";
import type { Config } from "./config-schema.ts";
import { realEnv } from "./env.ts";
import type { OpenModels } from "./open-models.ts";

export type ModelsSource = {
  /** Opened when first asked for, since looking for models takes a moment. What is returned follows later changes. */
  readonly open: () => Promise<OpenModels>;
  /** Throws, and leaves the models as they were, where those of these settings cannot be opened. */
  readonly reload: (config: Config) => Promise<void>;
};

type SourceInput = { readonly config: Config; readonly logger: Logger };

/** The models behind those that were handed out. */
type Held = { now: OpenModels };

export function createModelsSource({ config, logger }: SourceInput, fetchPage: typeof fetch = fetch): ModelsSource {
  let opening: Promise<Held> | null = null;
  const load = async (settings: Config): Promise<Held> => {
    const { openModels } = await import("./open-models.ts");
    return { now: await openModels(settings, realEnv, logger, fetchPage) };
  };
  return {
    open: async () => {
      opening ??= load(config);
      const held = await opening.catch((error: unknown) => {
        opening = null; // What was wrong may be mended by the next time.
        throw error;
      });
      return follow(held);
    },
    reload: async (next) => {
      const fresh = await load(next);
      const held = await opening?.catch(() => null);
      if (held) held.now = fresh.now;
      else opening = Promise.resolve(fresh);
    },
  };
}

/** Whatever is given is handed on, also what is added one day. */
function follow(held: Held): OpenModels {
  return {
    chainOf: (...given) => held.now.chainOf(...given),
    isPriced: (...given) => held.now.isPriced(...given),
    priceOf: (...given) => held.now.priceOf(...given),
    reservationOf: (...given) => held.now.reservationOf(...given),
    call: (...given) => held.now.call(...given),
    describe: (...given) => held.now.describe(...given),
    findProblem: (...given) => held.now.findProblem(...given),
    get providers() {
      return held.now.providers;
    },
    get choices() {
      return held.now.choices;
    },
  };
}
