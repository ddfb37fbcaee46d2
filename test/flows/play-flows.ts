// Registers the flows of one protocol as tests: every stance plays every flow on one database, several at a time.

import { afterAll, describe, expect, test } from "vitest";
import type { Run } from "../../src/domain/run/run.ts";
import { findViolations } from "../../src/store/run/run-invariants.ts";
import type { RoleRequest } from "../helpers/role-script.ts";
import { checkPrefixes } from "./check-prefixes.ts";
import { faultFlows } from "./fault-flows.ts";
import type { Flow } from "./flow.ts";
import { compareBooks, readCalls, readContents, readTotals, readWritten, sum } from "./flow-books.ts";
import { type FlowWorld, flowWorld, type Played } from "./flow-world.ts";
import { flows } from "./flows.ts";
import { chooseFallback, type Protocol, playsFlow, refusalsOf, type Stance, stances } from "./stances.ts";

export async function playFlows(protocol: Protocol): Promise<FlowWorld> {
  const world = await flowWorld();
  const check = (stance: Stance, played: readonly Flow[]) =>
    test.concurrent.each(played.map((flow) => ({ flow, name: flow.name })))("$name", async ({ flow }) => {
      await playFlow(world, stance, flow, chooseFallback(protocol, stance));
    });
  for (const stance of stances[protocol])
    describe(stance.name, () =>
      check(
        stance,
        flows.filter(({ name }) => playsFlow(stance, name)),
      ),
    );
  const [first] = stances[protocol];
  describe("a provider that fails in the middle", () => check(first, faultFlows[protocol]));
  afterAll(async () => {
    expect(await findViolations(world.db, 1_000)).toEqual([]);
  });
  return world;
}

/** The end, what was written, what was asked, what was refused, what it cost. */
export async function playFlow(world: FlowWorld, stance: Stance, flow: Flow, fallback: string): Promise<Played> {
  const played = await world.play(stance, flow, fallback);
  const { run, lab, asked } = played;
  const refusals = refusalsOf(stance, flow.name);
  expect(lab.refusals.map(({ rule }) => rule)).toEqual(refusals);
  checkEnd(run, flow.end ?? { status: "completed" });
  expect(await readWritten(world.admin, run.id)).toEqual(flow.written);
  if (flow.reads !== undefined) {
    const [title, passage] = flow.reads;
    const [content = "", ...twins] = await readContents(world.admin, run.id, title);
    expect([content.split(passage).length - 1, twins.length]).toEqual([1, 0]);
  }
  expect(countRoles(asked)).toEqual(flow.asked);
  if (flow.resent === undefined)
    for (const requests of groupConversations(asked)) checkPrefixes(requests.map(({ request }) => request));
  const faulty = lab.ledger.entries.map(({ state }) => state).filter((state) => state !== "answered");
  const refused = refusals.map(() => "refused");
  expect(faulty.toSorted()).toEqual([...(flow.lost ?? []), ...refused].toSorted());
  await checkBooks(world, stance, flow, played);
  return played;
}

function checkEnd({ state, holds }: Run, end: NonNullable<Flow["end"]>): void {
  const untilMs = state.status === "running" ? (state.hold?.untilMs ?? 0) : 0;
  const heldMs = untilMs - (holds?.sinceMs ?? 0);
  if ("heldMinutes" in end) expect(heldMs).toBeGreaterThan(end.heldMinutes * 60_000);
  else expect(state).toMatchObject(end);
}

function countRoles(asked: readonly RoleRequest[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { role } of asked) counts[role] = (counts[role] ?? 0) + 1;
  return counts;
}

/** Each conversation of a role at a provider. */
const groupConversations = (asked: readonly RoleRequest[]) =>
  Map.groupBy(asked, ({ role, prompt, request }) => `${role} ${request.provider} ${prompt}`).values();

async function checkBooks(world: FlowWorld, stance: Stance, flow: Flow, { run, lab }: Played): Promise<void> {
  const rows = await readCalls(world.admin, "run_id", run.id);
  const { ours, theirs } = compareBooks(rows, lab, refusalsOf(stance, flow.name).length + (flow.resent ?? 0));
  expect(ours).toEqual(theirs);
  const priced = new Set(
    rows.filter(({ state, input }) => state === "settled" && input > 0).map((row) => row.priced_by),
  );
  if (flow.breaksAt === undefined && flow.faults === undefined && priced.size > 0)
    expect([...priced]).toEqual([stance.pricedBy]);
  const due = { cost: sum(rows.map(({ cost }) => cost)), tokens: sum(rows.map(({ input, output }) => input + output)) };
  const { report, ...told } = await readTotals(world.admin, run.id);
  expect(told).toEqual({ ...due, told: due, events: rows.length });
  if (run.state.status !== "running") expect(report).toEqual(due);
}
