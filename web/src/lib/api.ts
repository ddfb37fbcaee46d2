// The page's one client of the HTTP API. It notes whether the server answered.

import { createApi } from "../../../src/protocol/client.ts";
import { markReachable } from "./reachability.ts";

async function observedFetch(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    if (isNobodyHome(response)) throw new Error(`The server is not ready: ${response.status}`);
    markReachable(true);
    return response;
  } catch (cause) {
    if (!init.signal?.aborted) markReachable(false);
    throw cause;
  }
}

/** While it starts, or where a proxy answers for it, there is an answer but none of ours. */
function isNobodyHome({ status, headers }: Response): boolean {
  const isOurs = headers.get("content-type")?.startsWith("application/json") ?? false;
  return [502, 503, 504].includes(status) && !isOurs;
}

export const api = createApi({ baseUrl: "", fetch: observedFetch });
