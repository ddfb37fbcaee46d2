// What answers in conversations in this process. Models and tools are opened when someone says something for the first time:
// most commands need none of them, and looking for models takes a moment.

import type { Database } from "../db/database.ts";
import type { Logger } from "../lib/logger.ts";
import type { Limits } from "../runs/carry-out.ts";
import type { ChatEngine } from "../server/ports/chat.ts";
import type { RunJobs } from "../store/run/run-jobs.ts";
import { findEngineProblems } from "./agent-settings.ts";
import { asksBeforeComposedAddresses, type Config } from "./config-schema.ts";
import { realEnv } from "./env.ts";
import type { ModelsSource } from "./models-source.ts";

export type OpenChat = ChatEngine & { readonly close: () => Promise<void> };

type ChatInput = {
  readonly db: Database;
  readonly config: Config;
  readonly logger: Logger;
  readonly jobs: RunJobs;
  readonly limits: Limits;
  readonly source: ModelsSource;
};

export function openChat(input: ChatInput): OpenChat {
  let opened: Promise<OpenChat> | null = null;
  return {
    answer: async (due, signal) => {
      opened ??= open(input);
      const engine = await opened.catch((thrown: unknown) => {
        opened = null; // What was wrong may be mended by the next time.
        return failing(input, thrown);
      });
      await engine.answer(due, signal);
    },
    close: async () => {
      const engine = await opened?.catch(() => null);
      await engine?.close();
    },
  };
}

async function open({ db, config, logger, jobs, limits, source }: ChatInput): Promise<OpenChat> {
  const [{ chatEngine }, { startHomework }, { openTools }, { makeRegistry }] = await Promise.all([
    import("../engine/chat/chat-engine.ts"),
    import("../engine/chat/start-homework.ts"),
    import("./open-tools.ts"),
    import("../tools/registry.ts"),
  ]);
  const models = await source.open();
  const tools = await openTools(config, logger);
  const registry = makeRegistry(tools.all);
  const ownTools: Parameters<typeof chatEngine>[0]["ownTools"] = (chat) => [
    startHomework(chat, jobs, limits, findEngineProblems(config, process.env)),
  ];
  const asksBeforeComposed = asksBeforeComposedAddresses(config);
  const deps = { db, models, registry, env: realEnv, logger, ownTools, timeZone: config.time_zone, asksBeforeComposed };
  return { ...chatEngine(deps), close: tools.close };
}

/** Without models there is still someone to say so. */
async function failing({ db, logger }: ChatInput, thrown: unknown): Promise<OpenChat> {
  const { refuseAnswer } = await import("../engine/chat/chat-engine.ts");
  return { answer: (due) => refuseAnswer({ db, logger }, due, thrown), close: async () => {} };
}
