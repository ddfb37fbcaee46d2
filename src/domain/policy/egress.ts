// What keeps private things from leaving: once a run has read text of strangers and has seen private things, nothing it can be
// talked into may send anything out without the user's word. Where the operator wants it, the first request to an address that the run
// composed is asked about even before that. The prompt says so too, but only this file decides.
// It judges addresses as they stand; where a name leads to is the dialling code's business (src/tools/web/dial.ts).

import { normalUrl, originOf } from "./web-address.ts";

export const toolTags = ["private", "untrusted", "egress", "destructive"] as const;
/**
 * private: shows the user's own things. untrusted: brings in text of strangers. egress: can carry words of the caller's
 * choosing to the outside. destructive: takes something away.
 */
export type ToolTag = (typeof toolTags)[number];

/** Of a whole run with all its branches, not of one executor; what is true once stays true until the run ends. */
export type EgressState = {
  readonly hasReadUntrusted: boolean;
  /** Something of the user's beyond the objective's own words has been in a prompt. */
  readonly hasSeenPrivate: boolean;
  /** Asked for by the operator, and something private was really read: an address that the run composed needs the user's word. */
  readonly asksComposed: boolean;
  /** Addresses in what the user wrote: objective, answers, steering (`urlsIn`). */
  readonly userUrls: readonly string[];
  /** Addresses that the configured search returned as results; never links of a page, never addresses in its text. */
  readonly searchUrls: readonly string[];
  /** What the user has said yes to: the `approval` of earlier questions. */
  readonly approvedDestinations: readonly string[];
};

export type EgressDecision =
  | { readonly kind: "allowed" }
  | {
      readonly kind: "needs_user";
      readonly fear: Fear;
      readonly why: string;
      readonly question: string;
      /** What a yes puts among the approved destinations, from then on; null where it allows this one call only. */
      readonly approval: string | null;
    };

const allowed: EgressDecision = { kind: "allowed" };

/** An address of a service that is no web page: `search:brave`, `mcp:github/create_issue`. */
const serviceName = /^(?:search|mcp):[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)?$/;

const shownMax = 300;

/** `destination` is what the tool says of its arguments; null where it cannot tell. */
export function mayCall(tags: readonly ToolTag[], destination: string | null, state: EgressState): EgressDecision {
  if (!tags.includes("egress")) return allowed;
  const fear = findFear(state);
  if (fear === null) return allowed;
  if (destination === null) return ask(fear, "an unknown place", null);
  const url = normalUrl(destination);
  if (url !== null) return mayOpen(fear, url, state);
  if (!serviceName.test(destination)) return ask(fear, "an address that cannot be read", null);
  // Services are the operator's choice, not an address that a run composes.
  if (fear === "composed" || state.approvedDestinations.includes(destination)) return allowed;
  return ask(fear, destination, destination);
}

/** What an address could do; null: nothing that anyone has to be asked about. */
export type Fear = "strangers" | "composed";

function findFear({ hasReadUntrusted, hasSeenPrivate, asksComposed }: EgressState): Fear | null {
  if (hasReadUntrusted && hasSeenPrivate) return "strangers";
  return asksComposed ? "composed" : null;
}

/**
 * Whether a redirect may be followed. An address that was given whole carries nothing of the run's, wherever it leads; one that
 * the run put together, to a place that was allowed, must not be passed on to another.
 */
export function mayFollow(asked: string, next: string, state: EgressState): boolean {
  const url = normalUrl(asked);
  if (url !== null && isGiven(url, state)) return true;
  return mayCall(["egress"], next, state).kind === "allowed";
}

const isGiven = (url: string, { userUrls, searchUrls }: EgressState): boolean =>
  [...userUrls, ...searchUrls].some((given) => normalUrl(given) === url);

function mayOpen(fear: Fear, url: string, state: EgressState): EgressDecision {
  const origin = originOf(url);
  if (isGiven(url, state)) return allowed;
  if (origin !== null && state.approvedDestinations.includes(origin)) return allowed;
  return ask(fear, url.length > shownMax ? `${url.slice(0, shownMax)}…` : url, origin);
}

const fears = {
  strangers: {
    why: "the run has read words that may be a stranger's and has seen private things",
    question:
      "It has read words that may be a stranger's, and such words can ask it to carry your things out: also by the address of a page that is only opened.",
  },
  composed: {
    why: "the run has read private things and composed this address itself",
    question:
      "It has read your things and composed this address itself: neither you nor a search named it. An address can carry words out.",
  },
} as const satisfies Record<Fear, object>;

function ask(fear: Fear, where: string, approval: string | null): EgressDecision {
  const { why, question } = fears[fear];
  return {
    kind: "needs_user",
    fear,
    why: `${why}, and this would reach ${where}`,
    question: `May this run reach ${where}? ${question}`,
    approval,
  };
}
