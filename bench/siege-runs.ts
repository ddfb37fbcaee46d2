// The runs of the siege: ten, each of another user, on a model of the lab that answers after a fixed time. A run never ends by itself, so the
// number of iterations in a minute says whether it was held up.

import { setTimeout as sleep } from "node:timers/promises";
import { readRequest, toReply, working } from "../test/helpers/role-script.ts";
import { type Lab, startLab } from "../test/lab/lab.ts";
import { canaryKey, labPrices } from "../test/lab/lab-models.ts";
import type { Client } from "./siege-client.ts";
import type { Person } from "./siege-people.ts";

const runCount = 10;
/** What a model takes for an answer of some hundred words; an iteration has one. */
const answerMs = 8_000;
const model = "openrouter/anthropic/claude-sonnet-5.5";

export async function startModel(): Promise<Lab> {
  return startLab({
    prices: labPrices,
    script: async (request) => {
      await sleep(answerMs);
      const asked = readRequest(request);
      const note = { title: `Note of iteration ${asked.iteration}`, content: `Seen at ${performance.now()}.` };
      const calls = [{ tool: "write_note", args: note }];
      return toReply({ tool_calls: calls, status: working(`wrote note ${asked.iteration}`) }, asked);
    },
  });
}

export const modelSettings = (lab: Lab): Readonly<Record<string, string>> => ({
  HOMEWORK_OPENROUTER_API_KEY: canaryKey,
  HOMEWORK_OPENROUTER_BASE_URL: lab.baseUrl("openrouter"),
  HOMEWORK_MODEL: model,
  HOMEWORK_WORKER_CONCURRENCY: String(runCount),
});

export async function startRuns(people: readonly Person[]): Promise<void> {
  for (const person of people.slice(0, runCount)) {
    const body = { objective: `Watch the garden of ${person.name}`, budgets: { max_iterations: 10_000 }, judge: false };
    const { status, body: said } = await person.client.send("POST", "/api/homework/runs", body);
    if (status !== 201) throw new Error(`no run: ${status} ${said}`);
    person.runId = (JSON.parse(said) as { run_id: string }).run_id;
  }
}

export type RunState = { readonly iteration: number; readonly status: string; readonly stop: string | null };

export async function readRuns(people: readonly Person[]): Promise<readonly RunState[]> {
  const states: RunState[] = [];
  for (const { client, runId } of people) {
    if (runId === null) continue;
    const { run } = JSON.parse((await client.send("GET", `/api/homework/runs/${runId}`)).body) as {
      run: { iteration: number; status: string; stop_reason: { detail: string } | null };
    };
    states.push({ iteration: run.iteration, status: run.status, stop: run.stop_reason?.detail ?? null });
  }
  return states;
}

type RunEvents = { items: { type: string; event: { attempt?: number } }[]; next_since_seq: number | null };
const faultTypes = ["iteration_released", "run_holding", "run_stopped", "run_failed"];

/** Iterations that were begun more than once, that failed, or that a provider made wait. */
export async function countFaults(people: readonly Person[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { client, runId } of people) if (runId !== null) faults.push(...(await faultsOf(client, runId)));
  return faults;
}

async function faultsOf(client: Client, runId: string): Promise<readonly string[]> {
  const faults: string[] = [];
  let since: number | null = 0;
  while (since !== null) {
    const path = `/api/homework/runs/${runId}?include_events=true&limit=200&events_since_seq=${since}`;
    const { events }: { events: RunEvents } = JSON.parse((await client.send("GET", path)).body);
    for (const { type, event } of events.items) {
      if (faultTypes.includes(type)) faults.push(type);
      if (type === "iteration_started" && (event.attempt ?? 1) > 1) faults.push(`attempt ${event.attempt}`);
    }
    since = events.next_since_seq;
  }
  return faults;
}
