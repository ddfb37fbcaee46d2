// Whether a tool call may be made now: the one gate behind runs and chats. What differs between them is data: when a change needs
// the user's word, and what has been read and allowed so far. Prompts say so too, but this file decides.

import { type EgressDecision, type EgressState, mayCall, type ToolTag } from "./egress.ts";

/** What is known of a call before it is done. */
export type JudgedCall = {
  readonly name: string;
  readonly kind: "read" | "write" | "outside";
  readonly tags: readonly ToolTag[];
  /** Of what reaches outside: may it be done twice without harm, and where does it go. */
  readonly isRepeatable: boolean;
  readonly destination: string | null;
};

/**
 * When a change needs the user's word: never; not before the plan is approved; once for each place outside; each time. Writes of
 * our own database are staged where each is asked for, so only what cannot be staged is judged here.
 */
export type ChangeRule = "free" | "after_plan" | "asked_once" | "asked_each";

export type NeedsUser = Omit<Asked, "fear"> & { readonly about: Asked["fear"] | "change" };

type Asked = Extract<EgressDecision, { kind: "needs_user" }>;

export type CallVerdict = { readonly kind: "allowed" } | { readonly kind: "refused"; readonly why: string } | NeedsUser;

export function judgeCall(call: JudgedCall, rule: ChangeRule, state: EgressState): CallVerdict {
  const isOutside = call.kind === "outside";
  // What must not be done twice changes something out there.
  const isChange = call.kind === "write" || (isOutside && (!call.isRepeatable || call.tags.includes("destructive")));
  if (rule === "after_plan" && isChange)
    return {
      kind: "refused",
      why: "Nothing is changed before the user has approved the plan. Propose it, and end the iteration.",
    };
  if (!isOutside) return { kind: "allowed" };
  const verdict = mayCall(call.tags, call.destination, state);
  if (verdict.kind === "needs_user") {
    const { fear: about, ...needs } = verdict;
    return { ...needs, about };
  }
  if (!isChange || rule === "free" || rule === "after_plan") return { kind: "allowed" };
  const approval = rule === "asked_once" ? call.destination : null;
  return approval !== null && state.approvedDestinations.includes(approval)
    ? { kind: "allowed" }
    : askForChange(call.name, approval);
}

const askForChange = (name: string, approval: string | null): NeedsUser => ({
  kind: "needs_user",
  about: "change",
  why: `every change is asked for first, and what ${name} does cannot be taken back.`,
  question: `May this run use ${name}? It acts outside of Homework, as often as the run wants, and cannot be undone.`,
  approval,
});
