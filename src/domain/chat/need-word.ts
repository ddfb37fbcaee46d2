// Which tool calls of a chat wait for the user's word: everything that writes, here or elsewhere, and everything that could
// carry something out after text of strangers was read. Reads run freely. The prompt says so too, but this file decides.

import { type EgressState, mayCall, type ToolTag } from "../policy/egress.ts";
import { urlsIn } from "../policy/web-address.ts";
import type { CallKind } from "./chat.ts";

/** What is known of a call before it is done. */
export type WantedCall = {
  readonly kind: CallKind;
  readonly tags: readonly ToolTag[];
  /** Of what reaches outside: may it be done twice without harm, and where does it go. */
  readonly isRepeatable: boolean;
  readonly destination: string | null;
};

export type NeedsWord =
  | { readonly needsWord: false }
  /** `why`: what the user should know about it; `approval`: what a yes allows from then on. */
  | { readonly needsWord: true; readonly why: string; readonly approval: string | null };

const free: NeedsWord = { needsWord: false };

export function needWord(call: WantedCall, state: EgressState): NeedsWord {
  if (call.kind === "read") return free;
  if (call.kind === "write") return { needsWord: true, why: "", approval: null };
  const verdict = mayCall(call.tags, call.destination, state);
  if (verdict.kind === "needs_user") {
    const lasting = verdict.approval === null ? "" : ` A yes holds for ${verdict.approval} in this conversation.`;
    const why = `This conversation has read text of strangers, which may have asked for it.${lasting}`;
    return { needsWord: true, why, approval: verdict.approval };
  }
  // What must not be done twice changes something out there.
  if (!call.isRepeatable || call.tags.includes("destructive"))
    return { needsWord: true, why: "It may change something outside of Homework.", approval: null };
  return free;
}

/** What the whole conversation has brought so far, also what a prompt no longer shows. */
export type ChatFacts = {
  readonly hasReadUntrusted: boolean;
  /** What the user wrote and could hold an address. */
  readonly userTexts: readonly string[];
  readonly foundUrls: readonly string[];
  /** `approval` of calls that were allowed. */
  readonly approvals: readonly string[];
};

export function egressOf(facts: ChatFacts): EgressState {
  return {
    hasReadUntrusted: facts.hasReadUntrusted,
    hasSeenPrivate: true, // It can look at the user's things at any time.
    userUrls: facts.userTexts.flatMap(urlsIn),
    searchUrls: facts.foundUrls,
    approvedDestinations: facts.approvals,
  };
}
