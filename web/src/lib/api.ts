// The page's one client of the HTTP API. It notes whether the server answered.

import { createApi } from "../../../src/protocol/client.ts";
import { markReachable } from "./reachability.ts";

async function observedFetch(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    markReachable(true);
    return response;
  } catch (cause) {
    if (!init.signal?.aborted) markReachable(false);
    throw cause;
  }
}

export const api = createApi({ baseUrl: "", fetch: observedFetch });
