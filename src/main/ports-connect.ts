// Where commands such as `task list` find their server: the one that was named, the one that runs on the data folder,
// else the application itself for as long as the command takes.

import type { Connection } from "../cli/ports.ts";
import { AppError } from "../lib/app-error.ts";
import { createApi } from "../protocol/client.ts";
import { createFollow } from "../protocol/follow.ts";
import { findRunningServer } from "./data-folder.ts";
import { realEnv } from "./env.ts";
import type { ServeInput } from "./serve.ts";

export async function connect(input: ServeInput): Promise<Connection> {
  const { config } = input;
  if (config.url !== null) return remoteConnection(config.url, config.api_key);
  const running = await findRunningServer(config.data);
  const key = config.api_key ?? running?.key ?? null;
  if (config.accounts && key === null)
    throw new AppError(
      "not_signed_in",
      "With accounts on, commands need an API key: set HOMEWORK_API_KEY (Settings, API keys)",
    );
  if (running) return remoteConnection(running.url, key);
  const { connectInProcess } = await import("./connect-in-process.ts");
  return connectInProcess(input, key);
}

function remoteConnection(url: string, apiKey: string | null): Connection {
  const headers = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  const options = { baseUrl: url, fetch: (address: string, init: RequestInit) => fetch(address, init), headers };
  return { api: createApi(options), follow: createFollow(options, realEnv), url, close: async () => {} };
}
