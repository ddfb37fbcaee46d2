// Sessions in the middle of which a provider fails in one of its own ways, once. What has to come of it is data: most are tried
// again, some fail the iteration and the next one does the work, some end the run in words, some hold it.

import type { LabMode } from "../lab/lab-mode.ts";
import type { LabReply } from "../lab/lab-protocol.ts";
import type { Flow } from "./flow.ts";
import { breakOff, session, sessionEnd } from "./flows.ts";
import type { Protocol } from "./stances.ts";

type Fault = (answer: LabReply) => LabReply;

const withModes =
  (...modes: readonly LabMode[]): Fault =>
  (answer) => ({ text: "I write it down.", ...answer, modes });

const refuseWith =
  (status: number, error: object): Fault =>
  () => ({ status, body: { error } });

/** Google counts no output where an answer failed. */
const withoutOutput =
  (fault: Fault): Fault =>
  (answer) => ({ ...fault(answer), usage: { input: 950, output: 0 } });

const at = (fault: Fault): Pick<Flow, "script" | "faults"> => ({
  script: () => session,
  faults: [{ at: "planner 1.1", fault }],
});

const asked = (planner: number) => ({ ...sessionEnd.asked, planner });

/** The same request once more: the answer that failed is paid as far as anyone can tell. */
const triedAgain = (name: string, fault: Fault, lost: NonNullable<Flow["lost"]> = ["lost"]): Flow => ({
  name: `${name}: tried again`,
  ...at(fault),
  ...sessionEnd,
  asked: asked(5),
  lost,
});

/** Nothing was written before it, so the next iteration writes everything once. */
const failed = (name: string, fault: Fault, lost: NonNullable<Flow["lost"]> = []): Flow => ({
  name: `${name}: the iteration fails, the next one does it`,
  ...at(fault),
  ...sessionEnd,
  asked: asked(6),
  lost,
});

const usedUp = (name: string, fault: Fault, lost: NonNullable<Flow["lost"]>): Flow => ({
  name: `${name}: the run stops and says so`,
  ...at(fault),
  written: [],
  asked: { planner: 2 },
  lost,
  end: { status: "stopped", reason: "provider_quota" },
});

const held = (name: string, fault: Fault, heldMinutes: number): Flow => ({
  name: `${name}: the run is held`,
  ...at(fault),
  written: [],
  asked: { planner: 2 },
  lost: ["refused"],
  end: { heldMinutes },
});

/** None of its calls is carried out, also not the one that came whole. */
const brokenOff = (name: string, how: Parameters<typeof breakOff>[0]): Flow => ({
  name: `${name}: shown to the model, never carried out`,
  script: () => breakOff(how),
  ...sessionEnd,
  asked: asked(5),
});

const torn: Flow = triedAgain("torn after 300 bytes", (answer) => ({ ...answer, cutAtByte: 300 }));
const odd = (reason: Extract<LabMode, { mode: "gemini-odd" }>["odd"]) =>
  withoutOutput(withModes({ mode: "gemini-odd", odd: reason }));
const openAiFailed = (code: string, when: "first" | "after-text" = "first") =>
  withModes({ mode: "openai-failed", code, when });
const inband = (code: 402 | 403 | 429, metadata?: object) =>
  withModes({ mode: "openrouter-inband", code, ...(metadata === undefined ? {} : { metadata }) });

const nextMonth = "2099-01-01";

export const faultFlows: Readonly<Record<Protocol, readonly Flow[]>> = {
  anthropic: [
    torn,
    triedAgain("claude-529 as the first chunk", withModes({ mode: "claude-529", when: "first" }), ["refused"]),
    triedAgain("claude-529 after text", withModes({ mode: "claude-529", when: "after-text" })),
    failed("the context window is full", (answer) => ({ ...answer, finish: "window" })),
    failed("a refusal", (answer) => ({ ...answer, text: "I cannot", toolCalls: [], finish: "content_filter" })),
    usedUp(
      "no credit",
      refuseWith(400, { type: "invalid_request_error", message: "Your credit balance is too low to access the API." }),
      ["refused"],
    ),
    held(
      "a spend limit of the account",
      refuseWith(400, {
        type: "invalid_request_error",
        message: `You have reached your specified API usage limits. You will regain access on ${nextMonth} at 00:00 UTC.`,
      }),
      60,
    ),
  ],
  openai: [
    torn,
    failed("openai-failed, too long", openAiFailed("context_length_exceeded"), ["refused"]),
    failed("openai-failed, too long after text", openAiFailed("context_length_exceeded", "after-text"), ["lost"]),
    usedUp("openai-failed, no quota", openAiFailed("insufficient_quota"), ["refused"]),
    triedAgain("openai-failed, a fault of theirs", openAiFailed("server_error"), ["refused"]),
    {
      ...triedAgain(
        "ciphertext that cannot be read any more",
        refuseWith(400, { code: "invalid_encrypted_content", message: "The encrypted content could not be verified." }),
        ["refused"],
      ),
      name: "ciphertext that cannot be read any more: sent once more without reasoning",
      resent: 1,
    },
  ],
  google: [
    torn,
    triedAgain("MALFORMED_FUNCTION_CALL", odd("MALFORMED_FUNCTION_CALL"), []),
    triedAgain("UNEXPECTED_TOOL_CALL", odd("UNEXPECTED_TOOL_CALL"), []),
    triedAgain("TOO_MANY_TOOL_CALLS", odd("TOO_MANY_TOOL_CALLS"), []),
    triedAgain("MISSING_THOUGHT_SIGNATURE", odd("MISSING_THOUGHT_SIGNATURE"), []),
    failed("SAFETY", odd("SAFETY")),
    failed("a blocked prompt", odd("blocked-prompt")),
    held("a quota of the day, whatever delay it names", withModes({ mode: "gemini-odd", odd: "per-day" }), 0.75),
  ],
  openrouter: [
    torn,
    brokenOff("openrouter-half without a reason", { modes: [{ mode: "openrouter-half", hasFinish: false }] }),
    brokenOff("openrouter-half with a reason", { modes: [{ mode: "openrouter-half", hasFinish: true }] }),
    usedUp("openrouter-inband 402", inband(402), ["lost"]),
    failed("openrouter-inband 403", inband(403), ["lost"]),
    triedAgain("openrouter-inband 429", inband(429, { retry_after_seconds: 1 })),
    held("402 with a time", () => ({ status: 402, headers: { "retry-after": "7200" } }), 110),
  ],
  "openai-compatible": [
    torn,
    triedAgain(
      "compat-sloppy, arguments as an object",
      withModes({ mode: "compat-sloppy", ways: ["object-arguments"] }),
      [],
    ),
    triedAgain("compat-sloppy, an error in words", withModes({ mode: "compat-sloppy", ways: ["error-text"] })),
    failed(
      "a prompt that is too long",
      refuseWith(400, { message: "This model's maximum context length is 8192 tokens" }),
      ["refused"],
    ),
  ],
};
