// 1,000 clients on live streams of one project: how long until a write has reached all of them, and what a client costs.
// Compared with 10 clients of the same server.

import { readFileSync } from "node:fs";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { routes } from "../src/protocol/api.ts";
import type { Served } from "../test/helpers/served.ts";
import { type Figures, figuresOf, msText, ratio, report } from "./figures.ts";

const clients = 1_000;
const events = 30;

export async function benchStreams(server: Served): Promise<void> {
  const project = await server.api(routes.projects.create, { body: { name: "Watched" } });
  const few = await watched(server, project.id, 10);
  const before = residentBytes(server);
  const many = await watched(server, project.id, clients);
  report("1,000 clients on live streams", {
    "write to the last of 1,000": msText(many.all),
    "write to the first of 1,000": msText(many.first),
    "write to the last of 10": msText(few.all),
    "connecting 1,000": `${Math.round(many.connectMs)} ms`,
    "memory a client": `${Math.round((many.residentBytes - before) / clients / 1024)} KiB`,
    "events missed or doubled": many.faults,
    "last of 1,000 : last of 10": ratio(many.all.p50, few.all.p50),
  });
}

type Watched = { all: Figures; first: Figures; connectMs: number; residentBytes: number; faults: number };

async function watched(server: Served, projectId: string, count: number): Promise<Watched> {
  const seen = new Map<number, number[]>();
  const agent = new http.Agent({ maxSockets: count });
  const began = performance.now();
  const open = await Promise.all(Array.from({ length: count }, () => connect(server, projectId, agent, seen)));
  const connectMs = performance.now() - began;
  await sleep(500);
  const firsts: number[] = [];
  const alls: number[] = [];
  for (let n = 0; n < events; n++) {
    const wroteAt = performance.now();
    await server.api(routes.task.create, { params: { projectId }, body: { title: `Event ${n}` } });
    const arrivals = await allArrived(seen, count);
    firsts.push(Math.min(...arrivals) - wroteAt);
    alls.push(Math.max(...arrivals) - wroteAt);
    seen.clear();
    await sleep(50);
  }
  const resident = residentBytes(server);
  const faults = open.reduce((sum, client) => sum + client.faults(), 0);
  for (const client of open) client.close();
  agent.destroy();
  return { all: figuresOf(alls), first: figuresOf(firsts), connectMs, residentBytes: resident, faults };
}

/** The only new event has come to everyone; bounded, because one that never comes is a fault too. */
async function allArrived(seen: Map<number, number[]>, count: number): Promise<readonly number[]> {
  for (const limit = performance.now() + 10_000; performance.now() < limit; await sleep(1)) {
    const [arrivals] = seen.values();
    if (arrivals && arrivals.length >= count) return arrivals;
  }
  throw new Error("an event did not reach everyone within ten seconds");
}

function connect({ url, key }: Served, projectId: string, agent: http.Agent, seen: Map<number, number[]>) {
  return new Promise<{ close: () => void; faults: () => number }>((resolve, reject) => {
    let last = 0;
    let faults = 0;
    const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" };
    const request = http.get(`${url}/api/projects/${projectId}/stream`, { agent, headers }, (response) => {
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        for (const [, id] of text.matchAll(/^id: (\d+)$/gm)) {
          const seq = Number(id);
          if (last !== 0 && seq !== last + 1) faults += 1;
          last = seq;
          const arrivals = seen.get(seq) ?? [];
          arrivals.push(performance.now());
          seen.set(seq, arrivals);
        }
      });
      response.once("data", () => resolve({ close: () => request.destroy(), faults: () => faults }));
      if (response.statusCode !== 200) reject(new Error(`the stream answered ${response.statusCode}`));
    });
    request.on("error", reject);
  });
}

function residentBytes({ child }: Served): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}
