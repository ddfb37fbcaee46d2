// Agents with grandchildren in sessions of their own, started and stopped many times while starters and shims are killed with SIGKILL.
// In the end nothing with a run's tag may live, no run may say "running", and bystanders must not have been hit.
// Run it: npm run chaos:agents -- --cycles 1000   (the suite runs a few)

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { identify, signal } from "../../src/files/process-identity.ts";
import type { JobResult } from "../../src/runner/job/job.ts";
import { marks, type ProcessRow } from "../../src/runner/job/process-table.ts";
import { reapOrphans } from "../../src/runner/job/reap-orphans.ts";
import { stopJob } from "../../src/runner/job/stop-job.ts";
import { readRunInfo } from "../../src/runner/layout/run-info.ts";
import { inRun, listRuns, type RunFolder } from "../../src/runner/layout/runner-root.ts";
import { makeWorld, starterProgram } from "../agents/job-world.ts";
import type { StarterOrder } from "../agents/programs/starter.ts";
import { removeFolders } from "../helpers/runner-root.ts";

export type AgentsReport = {
  readonly cycles: number;
  readonly starterKills: number;
  readonly shimKills: number;
  readonly runs: number;
  readonly ends: Readonly<Record<string, number>>;
  /** Living processes with the tag of a run, after the end. */
  readonly left: readonly string[];
  /** Runs that still say so. */
  readonly running: readonly string[];
  /** Bystanders that were hit. */
  readonly hit: number;
};

export type AgentsOptions = {
  readonly times: number;
  /** Of these, so many with a starter that is killed, and as many with a shim that is. */
  readonly kills: number;
  readonly atOnce: number;
  readonly random: () => number;
  readonly say: (line: string) => void;
};

/** One that obeys, one that is deaf, one in a session of its own, and a grandchild in another; then the agent works or ends. */
const script = `sleep 300 &
setsid sh -c 'trap "" TERM HUP; sleep 300; sleep 300' &
setsid sh -c 'setsid sleep 300 & sleep 300' &
echo begun; `;
const endings = ["exit 0", "exit 1", "sleep 300", "trap '' TERM; while :; do sleep 1; done"];
const bystanders = 10;
const startMaxMs = 30_000;

type World = ReturnType<typeof makeWorld>;
type Cycle = { readonly world: World; readonly ending: string; readonly random: () => number };

const stop = { by: "chaos", reason: "the cycle is over" };

export async function runAgentsChaos({ times, kills, atOnce, random, say }: AgentsOptions): Promise<AgentsReport> {
  const world = makeWorld();
  const innocents = startBystanders(world);
  try {
    const ends: Record<string, number> = {};
    let begun = 0;
    const work = async () => {
      while (begun < times) {
        const number = begun++;
        const ending = endings[number % endings.length] ?? "exit 0";
        const play = pickPlay(number, times, kills);
        const end = await play({ world, ending, random });
        ends[end] = (ends[end] ?? 0) + 1;
        if (number % 50 === 49) say(`${number + 1} cycles: ${JSON.stringify(ends)}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await reapOrphans(world.deps);
    return judge(world, { cycles: times, starterKills: kills, shimKills: kills, ends }, innocents);
  } finally {
    for (const { child } of innocents) child.kill("SIGKILL");
    removeFolders();
  }
}

/** Kills are spread evenly over the cycles. */
function pickPlay(number: number, times: number, kills: number): (cycle: Cycle) => Promise<string> {
  const every = kills === 0 ? Number.POSITIVE_INFINITY : Math.max(2, Math.floor(times / kills));
  if (number < every * kills && number % every === 0) return killStarter;
  return number < every * kills && number % every === 1 ? killShim : startAndStop;
}

async function startAndStop({ world, ending, random }: Cycle): Promise<string> {
  const handle = await world.start(script + ending);
  if (ending.startsWith("exit")) return describe(await world.wait(handle));
  await sleep(random() * 200);
  const stopped = await stopJob(world.deps, world.runOf(handle), stop);
  return stopped.kind === "stopped" ? describe(stopped.result) : stopped.kind;
}

async function killShim({ world, random }: Cycle): Promise<string> {
  const handle = await world.start(`${script}sleep 300`);
  await sleep(random() * 200);
  signal(handle.shim, "SIGKILL");
  return describe(await world.wait(handle));
}

/** At any moment of its start, or while its agent is at work. What became of the run is seen by the one that looks next. */
async function killStarter({ world, random }: Cycle): Promise<string> {
  const { root, task, deps } = world;
  const order: StarterOrder = { folder: root.folder, taskId: task.taskId, script: `${script}sleep 300`, key: null };
  const starter = spawn(process.execPath, [starterProgram, JSON.stringify(order)], { stdio: "ignore" });
  const own = `-${starter.pid}`;
  const ownRuns = () => listRuns(root, task).filter(({ runId }) => runId.endsWith(own));
  const hasBegun = () => ownRuns().some((run) => sizeOf(inRun(run, "stdout")) > 0);
  const isEarly = random() < 0.5;
  const isReady = () => (isEarly ? ownRuns().length > 0 : hasBegun());
  for (let waitedMs = 0; !isReady() && waitedMs < startMaxMs; waitedMs += 5) await sleep(5);
  await sleep(random() * (isEarly ? 800 : 200));
  const found = identify(starter.pid ?? 0);
  if (found) signal(found, "SIGKILL");
  if (starter.exitCode === null && starter.signalCode === null) await once(starter, "exit");
  const runs = ownRuns();
  for (const run of runs) await stopJob(deps, run, stop);
  return hasBegun() ? "starter killed" : "starter killed before the agent began";
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function describe({ verdict, stop: stopped }: JobResult): string {
  return stopped === null ? verdict.kind : "stopped";
}

type Bystander = { readonly child: ChildProcess };

/** Half of them carry the tag of a run that does not exist. */
function startBystanders({ task }: World): readonly Bystander[] {
  return Array.from({ length: bystanders }, (_, n) => {
    const env = n % 2 === 0 ? {} : { [marks.tag]: `bystander-${n}`, [marks.runFolder]: `${task.path}/elsewhere` };
    return {
      child: spawn("sleep", ["100000"], { detached: true, stdio: "ignore", env: { PATH: process.env.PATH, ...env } }),
    };
  });
}

function judge(
  { root, task, deps }: World,
  counted: Pick<AgentsReport, "cycles" | "starterKills" | "shimKills" | "ends">,
  innocents: readonly Bystander[],
): AgentsReport {
  const runs = listRuns(root, task);
  const isOfRun = ({ marks: found }: ProcessRow) =>
    found.runFolder.startsWith(`${task.path}/runs/`) || isShimOf(found.shim, runs);
  return {
    ...counted,
    runs: runs.length,
    left: deps
      .table()
      .filter(isOfRun)
      .map(({ pid, marks: found }) => `${pid} of ${found.tag}${found.shim}`),
    running: runs.filter((run) => readRunInfo(root, run).status === "running").map(({ runId }) => runId),
    hit: innocents.filter(({ child }) => child.exitCode !== null || child.signalCode !== null).length,
  };
}

const isShimOf = (shim: string, runs: readonly RunFolder[]): boolean =>
  shim !== "" && runs.some(({ runId }) => shim.startsWith(runId));
