// Asks the server for a sign of life; the client notes the answer.

import { routes } from "../../../src/protocol/api.ts";
import { api } from "./api.ts";

export async function probeServer(): Promise<void> {
  try {
    await api(routes.instance.live, {});
  } catch {
    // Expected while it is away: reachability.ts has been told already.
  }
}
