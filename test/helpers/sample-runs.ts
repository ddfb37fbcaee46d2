// Runs for the sample world: one in every state, with what came of it, and a person who has a hundred of them.

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Run, routes } from "../../src/protocol/api.ts";
import type { Api } from "../../src/protocol/client.ts";
import type { RouteInput } from "../../src/protocol/route.ts";
import { embeddedDatabase } from "../chaos/chaos-database.ts";
import { patienceMs } from "./patience.ts";
import { type SampleState, sampleObjectives } from "./sample-lab.ts";
import { failedPage, insertSources, openedPage, search } from "./sample-sources.ts";
import type { Serving } from "./served.ts";
import { type Person, signUp } from "./web-session.ts";

export type SampleRuns = {
  /** Has a run in every state. */
  readonly dora: Person;
  /** Has a hundred runs. */
  readonly eli: Person;
  readonly runs: Readonly<Record<SampleState, string>>;
  /** A conversation of Dora's. */
  readonly chatId: string;
};

export async function fillSampleRuns(server: Serving & { readonly data: string }): Promise<SampleRuns> {
  const dora = await signUp(server, "Dora Iversen");
  const eli = await signUp(server, "Eli Novak");
  const [runs] = await Promise.all([fillEveryState(dora.api, server.data), fillHundred(eli.api)]);
  return { dora, eli, runs, chatId: await fillChat(dora.api) };
}

type NewRun = Omit<RouteInput<typeof routes.runs.create>["body"], "objective">;

async function startRun(api: Api, objective: string, more: NewRun = {}): Promise<string> {
  return (await api(routes.runs.create, { body: { objective, ...more } })).run_id;
}

/** Until the run is like this; says how it was if it never is. */
async function untilRun(api: Api, runId: string, isIt: (run: Run) => boolean): Promise<void> {
  const endAt = performance.now() + patienceMs;
  for (;;) {
    const { run } = await api(routes.runs.get, { params: { runId }, query: {} });
    if (isIt(run)) return;
    if (performance.now() > endAt)
      throw new Error(`the run stayed ${run.status} at ${run.iteration}: ${run.objective}`);
    await sleep(50);
  }
}

async function fillEveryState(api: Api, data: string): Promise<SampleRuns["runs"]> {
  const start = (state: SampleState, more: NewRun = {}) => startRun(api, sampleObjectives[state], more);
  const until = (runId: string, status: Run["status"]) => untilRun(api, runId, (run) => run.status === status);
  const completed = await start("completed", { budgets: { max_cost_usd: 2, max_iterations: 12 } });
  const undone = await start("undone");
  await until(undone, "completed");
  await api(routes.runs.undo, { params: { runId: undone }, query: { dry_run: "false" }, body: {} });
  const stopped = await start("stopped", { budgets: { max_iterations: 3 } });
  const question = await start("question");
  const plan = await start("plan", { permissions: { write_mode: "approve_plan" } });
  const writes = await start("writes", { permissions: { write_mode: "per_write" } });
  await until(completed, "completed");
  await until(stopped, "stopped");
  await insertSources(data, completed, sampleSources);
  for (const waiting of [question, plan, writes]) await until(waiting, "waiting_on_user");
  const running = await start("running", { budgets: { max_cost_usd: 1, max_iterations: 20 } });
  const canceled = await start("canceled");
  const failed = await start("failed");
  await giveUp(data, failed);
  await untilRun(api, canceled, ({ iteration }) => iteration > 1);
  await api(routes.runs.cancel, { params: { runId: canceled } });
  await until(failed, "failed");
  const runningToo = await start("runningToo");
  const queued = await start("queued");
  for (const runId of [running, runningToo]) await untilRun(api, runId, ({ iteration }) => iteration > 3);
  await insertSources(data, running, sourcesSoFar);
  return { completed, undone, stopped, question, plan, writes, canceled, failed, running, runningToo, queued };
}

const sampleSources = [
  search("halls to rent near the river", ["https://halls.example/", "https://rooms.example/list"]),
  openedPage(
    "https://halls.example/river-street/hall?day=saturday",
    "River Street Hall: rooms, prices and opening hours",
  ),
  openedPage("https://rooms.example/list", "Rooms for clubs"),
  failedPage("https://old-halls.example/prices.pdf", "it is a PDF, and only text, HTML, JSON and XML can be read"),
  openedPage("https://repaircafe.example/how-to-start", "How to start a repair café", 2),
  openedPage(
    "https://halls.example/river-street/hall?day=saturday",
    "River Street Hall: rooms, prices and opening hours",
    2,
  ),
  openedPage("https://town.example/insurance", "", 2),
  openedPage("https://town.example/permits/events", "Permits for events in town halls", 2),
  openedPage("https://tools.example/lists/soldering", "What to bring: soldering irons, glue, patience", 2),
  openedPage("https://volunteers.example/", "Find volunteers near you", 2),
];

const sourcesSoFar = [
  search("repair café opening hours volunteers", ["https://delft.example/repair", "https://ghent.example/repaircafe"]),
  openedPage("https://delft.example/repair", "Repair Café Delft: every second Saturday"),
  openedPage("https://ghent.example/repaircafe", "Volunteers in two shifts: how Ghent does it"),
  openedPage("https://aarhus.example/tool-library", "The tool library of Aarhus", 2),
  openedPage("https://graz.example/repair", "Reparaturcafé Graz", 2),
];

/** As if one worker after the other had ended in it; it waits in line, and whoever takes it gives it up. */
async function giveUp(data: string, runId: string): Promise<void> {
  const client = new pg.Client(embeddedDatabase(data).adminUrl());
  await client.connect();
  try {
    await client.query("update homework.homework_runs set deaths = 21 where id = $1", [runId]);
  } finally {
    await client.end();
  }
}

const subjects = ["the archive", "the canteen", "the garden", "the workshop", "the library", "the east wing"];
const tasks = [
  "Write a plan for",
  "Find out what it costs to heat",
  "List the repairs due in",
  "Sum up the minutes about",
];
const hundred = 100;
/** So many are in line or at work. */
const open = 30;

async function fillHundred(api: Api): Promise<void> {
  for (let n = 0; n < hundred; n++) {
    const runId = await startRun(api, `${tasks[n % tasks.length]} ${subjects[n % subjects.length]}, part ${n + 1}`);
    if (n < hundred - open) await api(routes.runs.cancel, { params: { runId } });
  }
}

async function fillChat(api: Api): Promise<string> {
  const { id: chatId } = await api(routes.chats.create, { body: { title: "About the hall" } });
  await api(routes.chats.send, { params: { chatId }, body: { text: "How many people fit into the hall?" } });
  return chatId;
}
