// Where commands such as `task list` find their server: the one that was named, the one that runs on the data folder,
// else the application itself for as long as the command takes.

import type { Connection } from "../cli/ports.ts";
import { AppError } from "../lib/app-error.ts";
import { createApi } from "../protocol/client.ts";
import { createFollow } from "../protocol/follow.ts";
import type { Origin } from "./config-sources.ts";
import { findRunningServer } from "./data-folder.ts";
import { realEnv } from "./env.ts";
import type { ServeInput } from "./serve.ts";

/** `works`: without a server, which works on runs anyway, the command does it itself for as long as it lives. */
export async function connect(input: ServeInput, how: { readonly works: boolean }): Promise<Connection> {
  const { server, key } = await whereToGo(input);
  if (server !== null) {
    refuseServersSettings(input.settings.loaded.origins, server);
    return remoteConnection(input, server, key);
  }
  const { connectInProcess } = await import("./connect-in-process.ts");
  return connectInProcess(input, key, how);
}

/** They say which server is asked and what this command says; the server that answers has settings of its own. */
const ofTheCommand: readonly string[] = ["data", "url", "api_key", "log_level", "log_format"];

/** A setting on the command line would do nothing where a server answers. Variables and the config file may be meant for others. */
export function refuseServersSettings(origins: Readonly<Record<string, Pick<Origin, "source">>>, server: string): void {
  const name = Object.keys(origins).find((each) => origins[each]?.source === "flag" && !ofTheCommand.includes(each));
  if (name === undefined) return;
  throw new AppError(
    "invalid_request",
    `The server at ${server} answers with settings of its own, so ${name} on the command line would do nothing. Leave it out, or set it there and restart the server.`,
  );
}

/** The server that goes on when the command has ended; null if no server runs. */
export async function findServer({ config }: ServeInput): Promise<string | null> {
  return config.url ?? (await findRunningServer(config.data))?.url ?? null;
}

async function whereToGo({ config }: ServeInput): Promise<{ server: string | null; key: string | null }> {
  if (config.url !== null) return { server: config.url, key: config.api_key };
  const running = await findRunningServer(config.data);
  const key = config.api_key ?? running?.key ?? null;
  if (config.accounts && key === null)
    throw new AppError(
      "not_signed_in",
      "With accounts on, commands need an API key: set HOMEWORK_API_KEY (Settings, API keys)",
    );
  return { server: running?.url ?? null, key };
}

type Place = { readonly url: string; readonly key: string | null };

function remoteConnection(input: ServeInput, url: string, key: string | null): Connection {
  let place: Place = { url, key };
  const send = ({ url: to, key: by }: Place, address: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    if (by !== null) headers.set("authorization", `Bearer ${by}`);
    return fetch(address.replace(url, to), { ...init, headers });
  };
  const options = {
    baseUrl: url,
    fetch: async (address: string, init: RequestInit) => {
      const response = await send(place, address, init).catch(() => null);
      if (response !== null && response.status !== 401) return response;
      // A server of ours that was started again has another key, and perhaps another port.
      const moved = await movedTo(input, place);
      if (moved === null) return response ?? send(place, address, init);
      place = moved;
      await response?.body?.cancel();
      return send(place, address, init);
    },
  };
  return { api: createApi(options), follow: createFollow(options, realEnv), url, close: async () => {} };
}

/** Null: it is where it was, or it was named by the user. */
async function movedTo({ config }: ServeInput, place: Place): Promise<Place | null> {
  if (config.url !== null || config.api_key !== null) return null;
  const running = await findRunningServer(config.data);
  if (running === null || (running.url === place.url && running.key === place.key)) return null;
  return { url: running.url, key: running.key };
}
