// The application for one command, without a port: requests are answered in the same process, and, where the command
// follows a run, iterations are done in it as well.

import type { Connection } from "../cli/ports.ts";
import { createApi } from "../protocol/client.ts";
import { createFollow } from "../protocol/follow.ts";
import { forgetKey } from "../store/identity/api-key-store.ts";
import { realEnv } from "./env.ts";
import { openApp } from "./installation.ts";
import { ensureOwner } from "./local-owner.ts";
import { openWorker } from "./open-worker.ts";
import { originOf } from "./origin.ts";
import type { ServeInput } from "./serve.ts";

/** Requests that never leave the process still carry a Host; this one is always allowed. */
const inProcess = "http://127.0.0.1";

/** `given` is an API key to use; without one the command acts as the local owner. */
export async function connectInProcess(
  input: ServeInput,
  given: string | null,
  { works }: { readonly works: boolean },
): Promise<Connection> {
  const { db, auth, app, queue, source, close } = await openApp({ ...input, origin: inProcess });
  const { config, logger } = input;
  const origin = originOf(config, config.port);
  const worker = works ? await openWorker({ db, queue, config, logger, origin, source }) : null;
  const made = given === null ? await makeKey() : null;

  async function makeKey() {
    const owner = await ensureOwner(db, auth);
    return auth.createKey(owner.id, { name: "one command", scopes: ["admin"], expiresInDays: 1 });
  }

  const options = {
    baseUrl: inProcess,
    fetch: async (url: string, init: RequestInit) => {
      const request = new Request(url, init);
      request.headers.set("host", "127.0.0.1");
      return abortable(await app.fetch(request), init.signal);
    },
    headers: { authorization: `Bearer ${given ?? made?.key}` },
  };
  return {
    api: createApi(options),
    follow: createFollow(options, realEnv),
    url: inProcess,
    close: async () => {
      await worker?.close();
      if (made) await db.asSystem((tx) => forgetKey(tx, made.id));
      await close();
    },
  };
}

/** In process there is no connection whose loss would end a stream, so the signal has to end it. */
function abortable(response: Response, signal: AbortSignal | null | undefined): Response {
  if (!response.body || !signal) return response;
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(new TransformStream(), { signal }), { status, headers });
}
