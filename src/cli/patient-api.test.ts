import { expect, test } from "vitest";
import { routes } from "../protocol/api.ts";
import { ApiError } from "../protocol/api-error.ts";
import type { ApiInvocation } from "./invocation.ts";
import { withPatience } from "./patient-api.ts";

const away = new ApiError(503, "database_unavailable", "The database does not answer");

/** Fails so often with this; then it answers. */
function failing(times: number, error: Error = away) {
  const seen = { calls: 0, waits: [] as number[], said: [] as string[] };
  const given = {
    host: { env: { sleep: async (ms: number) => void seen.waits.push(ms) }, stop: new AbortController().signal },
    output: { warn: (text: string) => void seen.said.push(text) },
    api: async () => {
      seen.calls += 1;
      if (seen.calls <= times) throw error;
      return "answer";
    },
  } as unknown as ApiInvocation;
  return { seen, api: withPatience(given).api };
}

const read = { params: { runId: "r" }, query: {} } as const;

test("what cannot be read right now is asked for again, with longer and longer waits; it is said once", async () => {
  const { seen, api } = failing(5);
  expect(await api(routes.runs.get, read)).toBe("answer");
  expect(seen.waits).toEqual([1_000, 2_000, 5_000, 15_000, 15_000]);
  expect(seen.said).toEqual(["The database does not answer. Trying again."]);
});

test("it ends where trying again is pointless, or does not help for minutes", async () => {
  const missing = failing(1, new ApiError(404, "not_found", "There is no such run"));
  await expect(missing.api(routes.runs.get, read)).rejects.toThrow("no such run");
  const gone = failing(1_000);
  await expect(gone.api(routes.runs.get, read)).rejects.toThrow("does not answer");
  expect([missing.seen.calls, gone.seen.calls]).toEqual([1, 42]);
});

test("what changes something is not repeated", async () => {
  const { seen, api } = failing(1);
  await expect(api(routes.runs.pause, { params: { runId: "r" } })).rejects.toThrow("does not answer");
  expect(seen.calls).toBe(1);
});
