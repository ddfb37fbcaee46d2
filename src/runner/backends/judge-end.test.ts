import { expect, test } from "vitest";
import type { AgentEnd, Heard } from "./backend.ts";
import { requireBackend } from "./backends.ts";
import { judgeEnd } from "./judge-end.ts";

/** Monday 16 November 2026, 18:30 in UTC. */
const now = Date.parse("2026-11-16T18:30:00Z");
const silent: Heard = {
  session: null,
  end: null,
  text: "",
  speech: [],
  tokens: null,
  costUsd: null,
  isSessionTotal: false,
  retries: 0,
  error: null,
  limit: null,
};
const ended: AgentEnd = { exitCode: 1, signal: null, wasTimedOut: false, heard: silent, stderr: "", timeZone: "UTC" };
const good: Heard = { ...silent, end: { isError: false, why: "" } };
const failing = (why: string): Heard => ({ ...silent, end: { isError: true, why } });
const check = (over: Partial<AgentEnd>, status: number | null, expected: object) =>
  expect(judgeEnd({ ...ended, ...over }, now, status)).toMatchObject(expected);

test("exit code 0 and a good terminal event are success", () =>
  check({ exitCode: 0, heard: good }, null, { kind: "ok" }));
test("exit code 0 alone is none", () =>
  check({ exitCode: 0 }, null, { kind: "failed", why: "It ended without saying that it had finished." }));
test("a good terminal event and another exit code are none", () => check({ heard: good }, null, { kind: "failed" }));
test("an error in the terminal event is none", () =>
  check({ exitCode: 0, heard: failing("Broken.") }, null, { kind: "failed", why: "It ended with an error: Broken." }));
test("the last line of a program that was ended is not its reason", () => {
  const stderr = "Falling back to another tool.";
  check({ exitCode: 0, wasTimedOut: true, stderr }, null, { why: expect.not.stringContaining("Falling") });
  check({ exitCode: 3, stderr }, null, { why: "It ended with exit code 3: Falling back to another tool." });
});
test("a signal is told by its name", () =>
  check({ exitCode: null, signal: "SIGKILL" }, null, { kind: "failed", why: "It was ended by SIGKILL." }));

test.each([401, 402, 403, 404])("status %d is refused", (status) => check({}, status, { kind: "refused" }));
test.each([429, 500, 502, 503, 529, 408])("status %d is transient", (status) =>
  check({}, status, { kind: "transient" }),
);
test.each([400, 413, 422])("status %d is a failure like any other", (status) => check({}, status, { kind: "failed" }));

test.each([
  "Invalid API key · Please run /login",
  "You exceeded your current quota (insufficient_quota)",
  "Quota exceeded. Check your plan and billing details.",
  "Your credit balance is too low to access the API",
  "Missing environment variable: `CODEX_API_KEY`.",
  "authentication_failed",
  "Your access token could not be refreshed because your refresh token has expired. Please log out and sign in again.",
  "Your workspace is out of credits. Ask your workspace owner to refill in order to continue.",
  "ProviderModelNotFoundError",
  "Model not found: anthropic/claude-9. Did you mean: anthropic/claude-4?",
])("%j is refused", (why) => check({ heard: failing(why) }, null, { kind: "refused" }));

test("a quota that is told with status 429 is refused all the same", () =>
  check({ heard: failing("insufficient_quota: You exceeded your current quota") }, 429, { kind: "refused" }));

test("a quota whose end is told is waited for", () =>
  check({ heard: failing("You exceeded your current quota, check your plan. Please retry in 39.5s.") }, 429, {
    kind: "transient",
    notBeforeMs: now + 39_500,
  }));

test.each([
  ["Quota exceeded, please check your plan and billing details. Please retry in 41.6s.", 429, 41_600],
  ["You exceeded your current quota: check your plan and billing details. Please retry in 12s.", null, 12_000],
  ["You are out of credits for this window. Try again in 2 hours.", 402, 7_200_000],
  ["429 Too Many Requests: billing details required. Retry after 30 seconds", 403, 30_000],
])("a limit that names a time is waited for, whatever else it says: %j", (why, status, waitMs) =>
  check({ heard: failing(why) }, status, { kind: "transient", notBeforeMs: now + waitMs }),
);

test.each([
  ["Invalid API key. Please retry in 30s.", 401],
  ["No such model. Try again in 2 hours.", 404],
  ["billing details required, see the page in 10 minutes", 402],
])("what is no limit is refused, also where it names a time: %j", (why, status) =>
  check({ heard: failing(why) }, status, { kind: "refused" }),
);

test.each([
  "Selected model is at capacity. Please try a different model.",
  "fetch failed: ECONNREFUSED",
  "stream disconnected before completion: error sending request",
  "Connection error.",
  "We're currently experiencing high demand",
  "socket hang up",
])("%j is transient", (why) => check({ heard: failing(why) }, null, { kind: "transient", notBeforeMs: null }));

test("words on stderr count where the agent told nothing itself", () => {
  check({ stderr: "Error: connect ECONNREFUSED 127.0.0.1:1" }, null, { kind: "transient" });
  check({ stderr: "Error: connect ECONNREFUSED 127.0.0.1:1", heard: failing("Broken.") }, null, { kind: "failed" });
});

test("a time that the agent spoke of is not when a lost connection is tried again", () => {
  const heard = { ...failing("fetch failed"), speech: ["The shop is available at 9:30 pm."] };
  check({ heard }, null, { kind: "transient", notBeforeMs: null });
});

test("what the agent said about keys in its work refuses nothing", () => {
  const speech = ["The route answers 401 unauthorized: invalid API key, as asked."];
  check({ heard: { ...silent, speech } }, null, { kind: "failed" });
});

test.each([
  ["You're out of extra usage · resets 9pm", "2026-11-16T21:00:00Z"],
  ["Claude AI usage limit reached|1794862800", "2026-11-16T21:00:00Z"],
  ["You've hit your usage limit. Try again in 2 hours 30 minutes.", "2026-11-16T21:00:00Z"],
])("a window of a subscription is waited for: %j", (notice, until) => {
  const notBeforeMs = Date.parse(until);
  check({ heard: failing(notice) }, null, { kind: "transient", notBeforeMs });
  check({ heard: { ...silent, speech: [notice] } }, null, { kind: "transient", notBeforeMs });
});

test("a time of day is of the machine's time zone", () =>
  check({ heard: failing("5-hour limit reached ∙ resets 9pm"), timeZone: "Asia/Tokyo" }, 429, {
    kind: "transient",
    notBeforeMs: Date.parse("2026-11-17T12:00:00Z"),
  }));

test("the provider's own event beats words", () => {
  const limit = { kind: "limit", isRejected: true, why: "five hour", untilMs: now + 5_000 } as const;
  check({ exitCode: 0, heard: { ...good, limit } }, null, { kind: "transient", notBeforeMs: now + 5_000 });
  const allowed = { ...limit, isRejected: false };
  check({ heard: { ...silent, limit: allowed, speech: ["5-hour limit reached"] } }, null, { kind: "failed" });
});

test("a limit that the agent has got over is none", () =>
  check({ heard: { ...silent, speech: ["Rate limit exceeded.", "Going on.", "Writing tests."] } }, null, {
    kind: "failed",
  }));

test("silence is a failure, and after a notice of a limit it is the limit", () => {
  check({ exitCode: null, signal: "SIGTERM", wasTimedOut: true }, null, { kind: "failed" });
  const heard = { ...silent, speech: ["Usage limit reached, resets 9pm"] };
  check({ exitCode: null, signal: "SIGTERM", wasTimedOut: true, heard }, null, { kind: "transient" });
});

test("a key that is tried again and again until we end it is refused", () => {
  const heard = { ...silent, error: { kind: "error", why: "authentication_failed", status: 401 } } as const;
  check({ exitCode: 143, wasTimedOut: true, heard }, 401, { kind: "refused" });
});

const judgeGemini = (exitCode: number) => requireBackend("gemini").judge({ ...ended, exitCode }, now).kind;
test.each([
  [41, "refused"],
  [55, "refused"],
  [144, "failed"],
  [145, "refused"],
  [147, "refused"],
  [173, "transient"],
  [244, "transient"],
  [247, "transient"],
  [1, "failed"],
  [0, "failed"],
])("gemini's exit code %d is %s", (code, kind) => expect(judgeGemini(code)).toBe(kind));

test("a command is judged by its exit code", () => {
  const { judge } = requireBackend("command");
  expect(judge({ ...ended, exitCode: 0 }, now).kind).toBe("ok");
  expect(judge({ ...ended, exitCode: 0, wasTimedOut: true }, now).kind).toBe("failed");
  expect(judge({ ...ended, exitCode: 2, stderr: "Error: no plan" }, now)).toEqual({
    kind: "failed",
    why: "It ended with exit code 2: Error: no plan",
  });
  expect(judge({ ...ended, exitCode: 1, stderr: "rm: cannot remove: Permission denied" }, now).kind).toBe("failed");
  expect(judge({ ...ended, exitCode: 1, stderr: "Error: 429 Too Many Requests" }, now).kind).toBe("transient");
  expect(judge({ ...ended, exitCode: 124, heard: { ...silent, speech: ["5-hour limit"] } }, now).kind).toBe("failed");
});
