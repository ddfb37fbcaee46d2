// How an agent's process ended: well, by a limit of its provider, by being silent too long, or in an error. A limit is
// believed only from the provider's event or status, or from the agent's own last words when it ended badly.
// The same words in what a tool printed are a text like any other.

export type AgentSpeech = { readonly by: "agent" | "tool"; readonly text: string };

export type EndingFacts = {
  readonly exitCode: number | null;
  /** We ended it: it said nothing, or took too long. */
  readonly wasTimedOut: boolean;
  /** Its last event says it finished, and no error is in it. */
  readonly hasGoodResult: boolean;
  /** A status block was read from what it said. */
  readonly hasClaim: boolean;
  /** The provider's last word about its limits. */
  readonly limitEvent: "allowed" | "rejected" | null;
  /** HTTP status of the provider's last answer, where the agent reports it. */
  readonly providerStatus: number | null;
  /** In order. */
  readonly speech: readonly AgentSpeech[];
};

export type AgentEnding = "well" | "limit" | "timeout" | "error";

/** Too many requests, and overloaded. */
const limitStatuses = [429, 503, 529];
/** `timeout`(1) ends a program so. */
const timeoutExitCode = 124;
/** An agent that hits a limit says so and ends; what it said earlier, it has got over. */
const lastWordsMax = 2;
/** A notice is short; a longer text merely discusses limits. */
const noticeMax = 400;

const limitWords =
  /\b(?:(?:usage|rate|session|weekly|daily|hourly|\d+[- ]hour|request|token|quota)[- ]limit (?:has been |was )?(?:reached|exceeded|hit)|(?:reached|hit|exceeded) (?:your|the) (?:[\w-]+ ){0,3}limit|out of (?:extra )?(?:usage|credits|quota)|too many requests|(?:http(?:\/\d(?:\.\d)?)?|status(?: code)?|error|code|response)[ :=]{1,3}429|429[ :]+(?:too many|rate[- ]limit|error)|(?:quota|rate limit) exceeded|rate[- _]?limited)\b/i;

export function endingOf(facts: EndingFacts): AgentEnding {
  const { exitCode, wasTimedOut, hasGoodResult, hasClaim, limitEvent, providerStatus } = facts;
  if (limitEvent === "rejected") return "limit";
  if (hasGoodResult && exitCode === 0 && !wasTimedOut) return "well";
  if (providerStatus !== null && limitStatuses.includes(providerStatus)) return "limit";
  // An agent that reports its work was not stopped by a limit, nor was one that the provider let through.
  if (!hasClaim && limitEvent !== "allowed" && saysLimit(facts.speech)) return "limit";
  return wasTimedOut || exitCode === timeoutExitCode ? "timeout" : "error";
}

/** Do the last words of the agent tell of a limit? */
export function saysLimit(speech: readonly AgentSpeech[]): boolean {
  return speech
    .filter(({ by }) => by === "agent")
    .slice(-lastWordsMax)
    .some(({ text }) => text.trim().length <= noticeMax && limitWords.test(text));
}
