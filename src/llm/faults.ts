// Which fault an error of a call is, and whether it can have cost anything. Statuses and codes decide; where a provider has
// nothing else, its phrases do, and those stand here in one place. Pure.

import { type ErrorFacts, readErrorFacts } from "./error-facts.ts";
import { readWait } from "./limit-wait.ts";
import type { ModelFault } from "./model.ts";

export type Judged = {
  readonly fault: ModelFault;
  /** The provider said no before it did anything, or was not reached: this cost nothing. */
  readonly isFree: boolean;
};

export type JudgeOptions = { readonly nowMs: number; readonly random: number; readonly redact: Redact };

export function judgeError(error: unknown, options: JudgeOptions): Judged {
  const facts = readErrorFacts(error);
  const why = options.redact(describeError(facts));
  return { fault: faultOf(facts, why, options), isFree: facts.isAtOnce || isNotReached(facts) };
}

/** The reasoning of an earlier answer is not valid here: of another account, another conversation, or altered on its way. */
export function refusesReasoning(error: unknown): boolean {
  return isRefusedWith(error, reasoningPhrases);
}

/** The reasoning of an earlier answer is missed: DeepSeek of every call, OpenRouter of every answer that had some. */
export function wantsReasoning(error: unknown): boolean {
  return isRefusedWith(error, missedPhrases);
}

/** The model, or the server as it was started, cannot call tools. */
export function refusesTools(error: unknown): boolean {
  return isRefusedWith(error, toolPhrases);
}

const reasoningPhrases =
  /invalid_encrypted_content|corrupted thought signature|thought_?signature|invalid `?signature`? in `?thinking`?|bound to a different conversation|`?thinking`?[^\n]{0,80}cannot be modified|expected `thinking`|required 'reasoning' item/i;
const missedPhrases =
  /missing `?reasoning_(content|details)|`?reasoning_(content|details)`?[^\n]{0,80}(must be (sent|passed) back|is (required|missing))/i;
const toolPhrases =
  /enable-auto-tool-choice|tool-call-parser|does not support tools|support tool use|tool[s_ ]?(calling|use|choice)? (is|are) not supported/i;

function isRefusedWith(error: unknown, phrases: RegExp): boolean {
  if (error === null) return false;
  const { status, text } = readErrorFacts(error);
  return (status === 400 || status === 404) && phrases.test(text);
}

/** The order decides: a throttle may speak of too many tokens, and an account without money comes as a 429. */
function faultOf(facts: ErrorFacts, why: string, options: JudgeOptions): ModelFault {
  const { status } = facts;
  const limit = (): ModelFault => ({ kind: "limit", why, untilMs: options.nowMs + readWait(facts, options) });
  if (spendLimit.test(facts.text)) return limit();
  if (status === 402 && facts.headers["retry-after"] !== undefined) return limit();
  if (status === 402 || isQuota(facts)) return { kind: "quota", why };
  if (status === 429) return limit();
  if (isFiltered(facts)) return { kind: "filtered", why };
  if (status === 401 || status === 403 || isBadKey(facts)) return { kind: "auth", why };
  if (status === 413 || tooLong.test(facts.text)) return { kind: "too_long", why };
  if (status !== null && status >= 400 && status < 500 && !passing.includes(status)) return { kind: "refused", why };
  return { kind: isSilent(facts) ? "silent" : "transient", why };
}

/** Our own limit, or that of Node's fetch. */
const isSilent = ({ isTimeout, networkCode }: ErrorFacts) =>
  isTimeout || networkCode === "UND_ERR_HEADERS_TIMEOUT" || networkCode === "UND_ERR_BODY_TIMEOUT";

/** Of the 4xx: too slow, in conflict with another request, too early. The same request may be taken next time. */
const passing = [408, 409, 425];
/** Nothing has left this machine. */
const notReachedCodes = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"];
const isNotReached = ({ networkCode }: ErrorFacts) => networkCode !== null && notReachedCodes.includes(networkCode);

/** Claude's limit that the account's owner has set: a 400 with a date in words. */
const spendLimit = /reached your specified API usage limits|will regain access on/i;

const quotaCodes = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"];

function isQuota({ status, body, text }: ErrorFacts): boolean {
  if ([body?.code, body?.type].some((code) => typeof code === "string" && quotaCodes.includes(code))) return true;
  // Anthropic says it in words only, as a 400 like any other.
  return status === 400 && /credit balance is too low/i.test(text);
}

const filterCodes = ["content_filter", "content_policy_violation", "responsible_ai_policy_violation"];

/** OpenRouter gives reasons for content that a provider will not read. */
const isFiltered = ({ status, body }: ErrorFacts) =>
  (status === 403 && (body?.metadata?.reasons?.length ?? 0) > 0) ||
  [body?.code, body?.type].some((code) => typeof code === "string" && filterCodes.includes(code));

/** Google calls a wrong key a wrong argument. */
const isBadKey = ({ status, body, text }: ErrorFacts) =>
  status === 400 &&
  (body?.details?.some(({ reason }) => reason === "API_KEY_INVALID") === true || /API key not valid/i.test(text));

/** In this order: Claude (two), OpenAI (two), Google, vLLM and others, llama.cpp and LM Studio. */
const tooLong =
  /prompt is too long|exceed context limit|context_length_exceeded|exceeds the context window|input token count|maximum context length|exceeds the available context size|exceed_context_size|exceeds? (the )?context( size| length)/i;

function describeError(facts: ErrorFacts): string {
  const { status, said, networkCode } = facts;
  if (status !== null) return `${status}: ${said}`;
  if (isSilent(facts)) return "no answer in time";
  return networkCode === null ? said : `${networkCode}: ${said}`;
}

/** A shorter secret would be found in every second word. */
const secretMinLength = 6;
/** Enough to see what is meant; a provider may answer with a whole page. */
const whyMax = 500;

export type Redact = (text: string) => string;

/** Takes keys out of texts that leave this folder: errors of providers quote what they were sent. */
export function redacting(secrets: readonly (string | null)[]): Redact {
  const known = secrets.filter((secret): secret is string => secret !== null && secret.length >= secretMinLength);
  // The longest first: one may begin with another.
  const sorted = known.sort((a, b) => b.length - a.length);
  return (text) => {
    const clean = sorted.reduce((left, secret) => left.replaceAll(secret, "[key]"), text);
    return clean.length > whyMax ? `${clean.slice(0, whyMax)}…` : clean;
  };
}
