// The steps of a plan of rules, each with how far it has come: what is there is its evidence, what the user turned down is
// dropped. Ids are the same in every iteration.

import { documentTitle } from "./compose.ts";
import { type DoneCall, isStaged } from "./conversation.ts";
import { type Desk, findAnswer, isLeaveOut, isOpen, isOwnStep } from "./desk.ts";
import { shorten } from "./phrase.ts";
import { findThing, listThings, type Thing } from "./things.ts";

export type Wanted = { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

export type Step = {
  readonly id: string;
  readonly title: string;
  readonly status: "pending" | "in_progress" | "done" | "dropped";
  readonly evidence: readonly string[];
};

export const callsFor = ({ session }: Desk, { kind, title, args }: Thing): readonly DoneCall[] =>
  session.calls.filter((call) => (kind === "append" ? call.args.text === args.text : isCalled(call, kind, title)));

const isCalled = ({ tool, args }: DoneCall, kind: Thing["kind"], title: string): boolean =>
  (tool === `create_${kind}` || (kind === "note" && /^(?:write_note|create_document)$/.test(tool))) &&
  (args.title ?? args.name) === title;

export const isDropped = ({ view }: Desk, stepId: string): boolean =>
  view.plan.some(({ id, status }) => id === stepId && status === "dropped");

export const isRejected = ({ decision }: { readonly decision: string }): boolean => /^rejected/i.test(decision);

export function progress(desk: Desk): readonly Step[] {
  const things = listThings(desk);
  const ids = new Set([...things.map(({ stepId }) => stepId), ...desk.said.map(({ stepId }) => stepId)]);
  return [...ids].map((id) => {
    const own = things.filter(({ stepId }) => stepId === id);
    const waits = desk.session.calls.some(isStaged);
    const found = own.flatMap((thing) => findThing(desk, thing) ?? []);
    const known = desk.view.plan.find((step) => step.id === id);
    const title = shorten(known?.title ?? stepTitle(desk, id, own), 300);
    return {
      id,
      title,
      status: statusOf(desk, id, own, waits),
      evidence: waits ? [] : [...new Set(found)].slice(0, 20),
    };
  });
}

/** What waits for approval is not done yet. */
function statusOf(desk: Desk, id: string, own: readonly Thing[], waits: boolean): Step["status"] {
  const missing = own.filter((thing) => findThing(desk, thing) === null);
  if (isDropped(desk, id)) return "dropped";
  if (own.length > 0 && missing.length === 0 && !waits) return "done";
  if (isTurnedDown(desk, missing) || isGivenUp(desk, missing)) return "dropped";
  const isBegun = missing.length < own.length || own.some((thing) => callsFor(desk, thing).length > 0);
  const wasBegun = desk.view.plan.some((step) => step.id === id && step.status === "in_progress");
  return isBegun || wasBegun ? "in_progress" : "pending";
}

const isTurnedDown = ({ view }: Desk, missing: readonly Thing[]): boolean =>
  view.decidedWrites.some(
    (write) =>
      isRejected(write) && missing.some(({ title }) => write.summary.includes(title.replace(/^## /, "").slice(0, 40))),
  );

/** It failed twice, and the user said to go on without it. */
const isGivenUp = (desk: Desk, missing: readonly Thing[]): boolean =>
  isLeaveOut(findAnswer(desk, "ask-blocked")) && missing.some((thing) => callsFor(desk, thing).length > 1);

function stepTitle({ reading, view, said }: Desk, id: string, own: readonly Thing[]): string {
  const { say } = reading;
  const key = /^[a-z]+/.exec(id)?.[0] ?? "";
  if (key === "look") return own[0]?.strand?.title ?? id;
  const words = said.find(({ stepId }) => stepId === id)?.words ?? "";
  const n = key === "mend" ? view.iteration - 1 : own.length;
  return isOwnStep(id) && key !== "answer" ? say(`step-${key}`, { title: documentTitle(reading), words, n }) : words;
}

/** Steps of an earlier iteration that nothing is wanted for any more are dropped. */
export function setPlan({ view }: Desk, steps: readonly Step[]): readonly Wanted[] {
  const stale = view.plan
    .filter((step) => isOwnStep(step.id) && isOpen(step) && !steps.some(({ id }) => id === step.id))
    .map(({ id, title }) => ({ id, title, status: "dropped", evidence: [] }));
  return steps.length + stale.length === 0 ? [] : [{ tool: "update_plan", args: { steps: [...steps, ...stale] } }];
}
