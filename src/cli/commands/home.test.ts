import { describe, expect, test } from "vitest";
import { type Answers, answering, runInTest } from "../../../test/helpers/cli-host.ts";
import { makeWireRun } from "../../../test/helpers/cli-runs.ts";
import type { DatabaseStatus, Services } from "../ports.ts";

const idOf = (number: number) => `0198c2a${number}-0000-7000-8000-000000000001`;
const page = (...items: readonly unknown[]) => ({ items, next_cursor: null });

const inGroups = (groups: Readonly<Record<string, readonly unknown[]>>): Answers => ({
  "GET /api/homework/runs": ({ query }) => page(...(groups[query.group ?? ""] ?? [])),
  "GET /api/escalations": () => page(...(groups.escalations ?? [])),
});

async function home(groups: Readonly<Record<string, readonly unknown[]>>, args: readonly string[] = []) {
  const { services, requests } = answering(inGroups(groups));
  const found: Partial<Services> = { ...services, findServer: async () => "http://server.test" };
  return { ...(await runInTest(args, { services: found })), requests };
}

const asking = makeWireRun({ id: idOf(1), status: "waiting_on_user", question: "Red\u001b[2J or blue?" });
const paused = makeWireRun({
  id: idOf(2),
  objective: "Paint",
  status: "stopped",
  stop_reason: { type: "paused", detail: "You paused it" },
});
const finished = makeWireRun({
  id: idOf(3),
  objective: "Find a hall",
  status: "completed",
  checks: { green: 5, of: 5 },
  completed_at: "2030-03-17T15:46:40Z",
});
const working = makeWireRun({ id: idOf(4), objective: "Write", progress: "Wrote two of three pages" });
const escalation = {
  id: idOf(5),
  outcome_id: idOf(6),
  outcome_name: "Website",
  status: "pending",
  trigger: { type: "conflict", task_id: null, task_number: null, evidence: [] },
  question: { text: "Which database?", context: "", options: [] },
  takes_own_words: true,
  affected_tasks: [],
  affected_numbers: [],
  is_whole_outcome: false,
  pauses: false,
  default_option: null,
  deadline: null,
  observation_id: null,
  is_tainted: false,
  proposed: null,
  answer: null,
  dismissed: null,
  resolved_at: null,
  created_at: "2030-03-17T15:46:40Z",
};

describe("homework alone", () => {
  test("says what needs you, what finished, what is running, and three commands", async () => {
    const groups = { needs_you: [asking, paused], finished: [finished], active: [working], escalations: [escalation] };
    const ran = await home(groups);
    expect(ran.words).toBe("");
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toBe(`Needs you
  “Plan my kitchen” asks: Red [2J or blue?
    → homework answer 0198c2a1
  “Paint” is paused: You paused it
    → homework resume 0198c2a2
  Outcome “Website”: Which database?
    → homework escalation answer 0198c2a5

Finished lately
  “Find a hall”
    completed · 5 of 5 checks passed · $0.00 · 2 hours ago

Running
  “Write” · iteration 1 of 20 · 0s active
    Wrote two of three pages

homework run "…"     hand over an objective
homework watch last  follow the newest run
homework start       open the pages
`);
  });

  test("helps where there is nothing", async () => {
    const ran = await home({});
    expect(ran.out).toBe(`No runs yet. Hand over an objective to get started.

homework run "…"  hand over an objective
homework start    open the pages
homework --help   see all commands
`);
  });

  test("with --json is one value", async () => {
    const ran = await home({ needs_you: [asking] }, ["--json"]);
    expect(JSON.parse(ran.out)).toMatchObject({
      needs_you: [{ id: idOf(1) }],
      escalations: [],
      finished: [],
      running: [],
    });
  });

  test("makes no database to say that there is nothing", async () => {
    const status = async () => ({ kind: "embedded", running: false, address: "/data" }) as DatabaseStatus;
    const connect = async () => {
      throw new Error("bug: nothing to connect to");
    };
    const services = { findServer: async () => null, database: { status }, connect } as unknown as Services;
    const ran = await runInTest([], { services, files: { exists: async (at) => at !== "/data" } });
    expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/^No runs yet\./) });
  });
});
