// The steps of a plan of rules, each with how far it has come: what is there is its evidence, what the user turned down is
// dropped. Ids are the same in every iteration.

import { documentTitle } from "./compose.ts";
import { type DoneCall, isStaged, type Wanted } from "./conversation.ts";
import { type Desk, findAnswer, isLeaveOut, isOpen, isOwnStep } from "./desk.ts";
import { shorten } from "./phrase.ts";
import { findThing, listThings, type Thing } from "./things.ts";

type Status = "pending" | "in_progress" | "done" | "dropped";
export type Step = Readonly<Record<"id" | "title", string>> & {
  readonly status: Status;
  readonly evidence: readonly string[];
};

export const callsFor = ({ session }: Desk, { kind, title, args }: Thing): readonly DoneCall[] =>
  session.calls.filter((call) => {
    if (kind === "append") return call.args.text === args.text;
    const isNote = kind === "note" && /^(?:write_note|create_document)$/.test(call.tool);
    return (isNote || call.tool === `create_${kind}`) && (call.args.title ?? call.args.name) === title;
  });

export const isDropped = ({ view }: Desk, stepId: string): boolean =>
  view.plan.some(({ id, status }) => id === stepId && status === "dropped");
export const isRejected = ({ decision }: { readonly decision: string }): boolean => /^rejected/i.test(decision);

export function progress(desk: Desk): readonly Step[] {
  const things = listThings(desk);
  const ids = new Set([...things.map(({ stepId }) => stepId), ...desk.said.map(({ stepId }) => stepId)]);
  // What waits for approval is not done yet.
  const waits = desk.session.calls.some(isStaged);
  return [...ids].map((id) => {
    const own = things.filter(({ stepId }) => stepId === id);
    const found = waits ? [] : own.flatMap((thing) => findThing(desk, thing) ?? []);
    const known = desk.view.plan.find((step) => step.id === id);
    const title = shorten(known?.title ?? stepTitle(desk, id, own), 300);
    return { id, title, status: statusOf(desk, id, own, waits), evidence: [...new Set(found)].slice(0, 20) };
  });
}

function statusOf(desk: Desk, id: string, own: readonly Thing[], waits: boolean): Status {
  const missing = own.filter((thing) => findThing(desk, thing) === null);
  if (isDropped(desk, id)) return "dropped";
  if (own.length > 0 && missing.length === 0 && !waits) return "done";
  if (missing.some((thing) => isGivenUp(desk, thing))) return "dropped";
  const isBegun = missing.length < own.length || own.some((thing) => callsFor(desk, thing).length > 0);
  const wasBegun = desk.view.plan.some((step) => step.id === id && step.status === "in_progress");
  return isBegun || wasBegun ? "in_progress" : "pending";
}

/** The user turned it down, or it failed twice and the user said to go on without it. */
function isGivenUp(desk: Desk, thing: Thing): boolean {
  const title = thing.title.replace(/^## /, "").slice(0, 40);
  const isTurnedDown = desk.view.decidedWrites.some((write) => isRejected(write) && write.summary.includes(title));
  return isTurnedDown || (isLeaveOut(findAnswer(desk, "ask-blocked")) && callsFor(desk, thing).length > 1);
}

function stepTitle({ reading, view, said }: Desk, id: string, own: readonly Thing[]): string {
  const key = /^[a-z]+/.exec(id)?.[0] ?? "";
  const words = said.find(({ stepId }) => stepId === id)?.words ?? own[0]?.strand?.title ?? id;
  if (!isOwnStep(id) || key === "look" || key === "answer") return words;
  const n = key === "mend" ? view.iteration - 1 : own.length;
  return reading.say(`step-${key}`, { title: documentTitle(reading), words, n });
}

/** Steps of an earlier iteration that nothing is wanted for any more are dropped. */
export function setPlan({ view }: Desk, steps: readonly Step[]): readonly Wanted[] {
  const stale = view.plan
    .filter((step) => isOwnStep(step.id) && isOpen(step) && !steps.some(({ id }) => id === step.id))
    .map(({ id, title }) => ({ id, title, status: "dropped", evidence: [] }));
  return steps.length + stale.length === 0 ? [] : [{ tool: "update_plan", args: { steps: [...steps, ...stale] } }];
}
