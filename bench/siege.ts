// A siege: 200 hostile clients for ten minutes (`--minutes`), beside 20 users and 10 runs on one real server with accounts. Measured is what
// the users notice, whether the runs go on as before, and whether the server's memory comes back. `npm run bench -- siege`; it ends with 1 if
// a limit is missed. `--only "slow readers"` sends the clients of one kind.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeDataFolder, removeDataFolder, type Served, startServer, stopServer } from "../test/helpers/served.ts";
import { report } from "./figures.ts";
import type { AttackTally, HostileAccount } from "./siege-attacks.ts";
import { createClient, signUpAs } from "./siege-client.ts";
import { bePeople, makePeople, type Person, type Tally } from "./siege-people.ts";
import { type ProcessUse, readUse, watchMemory } from "./siege-process.ts";
import { countFaults, modelSettings, type RunState, readRuns, startModel, startRuns } from "./siege-runs.ts";

const p99MaxMs = 500;
/** Of the pace that the runs had before. Their model takes most of an iteration's time, so a server that is only busy stays above it. */
const paceMin = 0.75;
/** Of the memory before, each after a collection. The runs' history grows meanwhile. */
const memoryMax = 1.15;
/** Users and runs alone, before and after: caches, compiled code and heap have to be as large as ordinary work makes them. */
const calmMaxMs = 60_000;
const hostileAccounts = 4;

const settings = {
  HOMEWORK_ACCOUNTS: "true",
  HOMEWORK_SIGN_UP: "open",
  HOMEWORK_RATE_LIMIT_PER_MINUTE: "600", // as it is unless set
  NODE_OPTIONS: `--expose-gc --import=${new URL("siege-collect.mjs", import.meta.url).href}`,
};

type Phase = {
  readonly tally: Tally;
  readonly ms: number;
  readonly use: ProcessUse;
  readonly before: readonly RunState[];
  readonly after: readonly RunState[];
};

export async function benchSiege(minutes: number, only?: string): Promise<void> {
  const calmMs = Math.min(calmMaxMs, minutes * 60_000);
  const data = makeDataFolder();
  const lab = await startModel();
  const server = await startServer(data, { settings: { ...settings, ...modelSettings(lab) } });
  const pid = server.child.pid ?? 0;
  const memory = watchMemory(pid);
  const ending = new AbortController();
  let tally = newTally();
  try {
    const people = await makePeople(server.url);
    await startRuns(people);
    const accounts = await makeHostileAccounts(server.url);
    const living = bePeople(people, () => tally, ending.signal);
    const during = async (work: () => Promise<void>): Promise<Phase> => {
      tally = newTally();
      const [began, before, used] = [performance.now(), await readRuns(people), readUse(pid)];
      await work();
      return {
        tally,
        ms: performance.now() - began,
        use: since(used, readUse(pid)),
        before,
        after: await readRuns(people),
      };
    };
    const calm = await during(() => sleep(calmMs).then(() => {}));
    const memoryBefore = await memory.settled();
    let hostile: AttackTally = {};
    const siege = await during(async () => {
      hostile = await besiege(server.url, accounts, minutes * 60_000, only);
    });
    const settled = await during(() => sleep(calmMs).then(() => {}));
    const memoryAfter = await memory.settled();
    ending.abort();
    await living;
    const faults = await countFaults(people);
    judge({
      server,
      people,
      calm,
      siege,
      settled,
      hostile,
      faults,
      memoryBefore,
      memoryAfter,
      memoryPeak: memory.peak(),
    });
  } finally {
    ending.abort();
    memory.stop();
    await stopServer(server);
    await lab.close();
    await removeDataFolder(data);
  }
}

const since = (before: ProcessUse, after: ProcessUse): ProcessUse => ({
  serverSeconds: after.serverSeconds - before.serverSeconds,
  databaseSeconds: after.databaseSeconds - before.databaseSeconds,
});

const newTally = (): Tally => ({ times: [], errors: [], streamEnds: 0 });

/** With a document that is large and slow to search: as much as one request takes. */
async function makeHostileAccounts(url: string): Promise<readonly HostileAccount[]> {
  const accounts: HostileAccount[] = [];
  for (let index = 0; index < hostileAccounts; index += 1) {
    const client = createClient(url, `127.0.0.${2 + index}`);
    await signUpAs(client, `hostile${index}`);
    const project = JSON.parse((await client.send("POST", "/api/projects", { name: "Ram" })).body) as { id: string };
    const path = `/api/projects/${project.id}/documents`;
    const content = "repair and ".repeat(90_000);
    const made = JSON.parse((await client.send("POST", path, { title: "repair", content })).body) as { id: string };
    accounts.push({ cookie: client.cookie(), documentPath: `${path}/${made.id}` });
    client.close();
  }
  return accounts;
}

async function besiege(
  url: string,
  accounts: readonly HostileAccount[],
  ms: number,
  only?: string,
): Promise<AttackTally> {
  const file = fileURLToPath(new URL("siege-attackers.ts", import.meta.url));
  const attackers = spawn(
    process.execPath,
    [file, url, JSON.stringify(accounts), ...(only === undefined ? [] : [only])],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const said = text(attackers.stdout);
  const gone = once(attackers, "exit");
  await Promise.race([sleep(ms), gone]);
  if (attackers.exitCode !== null) throw new Error(`the attackers ended with ${attackers.exitCode}`);
  attackers.stdin.end();
  await gone;
  return JSON.parse(await said) as AttackTally;
}

type Seen = {
  readonly server: Served;
  readonly people: readonly Person[];
  readonly calm: Phase;
  readonly siege: Phase;
  readonly settled: Phase;
  readonly hostile: AttackTally;
  readonly faults: readonly string[];
  readonly memoryBefore: number;
  readonly memoryPeak: number;
  readonly memoryAfter: number;
};

const iterationsIn = ({ before, after }: Phase): readonly number[] =>
  after.map(({ iteration }, at) => iteration - (before[at]?.iteration ?? 0));
const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN);
}

const timesOf = ({ tally: { times } }: Phase): readonly number[] => times.map(({ ms }) => ms);

const requestsText = (phase: Phase) => {
  const times = timesOf(phase);
  return `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms of ${times.length}, ${phase.tally.errors.length} errors`;
};

/** Which requests the tail is made of. */
function slowestText({ tally: { times } }: Phase): string {
  const kinds = Map.groupBy(times, ({ what }) => what);
  return [...kinds]
    .map(([what, of]) => ({
      what,
      ms: percentile(
        of.map(({ ms }) => ms),
        0.95,
      ),
    }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, 3)
    .map(({ what, ms }) => `${what} ${ms} ms`)
    .join(", ");
}

const useText = ({ use: { serverSeconds, databaseSeconds }, ms }: Phase) => {
  const share = (seconds: number) => `${Math.round((seconds / ms) * 100_000)} %`;
  return `server ${share(serverSeconds)}, database ${share(databaseSeconds)} of a core`;
};

function judge(seen: Seen): void {
  const { server, calm, siege, settled, faults } = seen;
  const expectedEach = (sum(iterationsIn(calm)) / calm.after.length) * (siege.ms / calm.ms);
  const disturbed = siege.after.filter(
    ({ status }, at) => status !== "running" || (iterationsIn(siege)[at] ?? 0) < expectedEach * paceMin,
  );
  const errors = [calm, siege, settled].flatMap(({ tally }) => tally.errors);
  const missed = [
    ...(percentile(timesOf(siege), 0.99) < p99MaxMs ? [] : [`p99 of users is not below ${p99MaxMs} ms`]),
    ...(errors.length === 0
      ? []
      : [`${errors.length} requests of users failed, such as ${errors.slice(0, 5).join("; ")}`]),
    ...(disturbed.length === 0
      ? []
      : [`${disturbed.length} runs were disturbed: ${JSON.stringify(disturbed.slice(0, 3))}`]),
    ...(faults.length === 0 ? [] : [`${faults.length} faults of runs: ${[...new Set(faults)].join(", ")}`]),
    ...(seen.memoryAfter <= seen.memoryBefore * memoryMax ? [] : ["memory stays"]),
    ...(server.child.exitCode === null && server.child.signalCode === null ? [] : ["the server ended"]),
  ];
  const mib = (value: number) => `${Math.round(value)} MiB`;
  report(`siege of ${Math.round(siege.ms / 1_000)} s`, {
    "users before": requestsText(calm),
    "users during the siege": requestsText(siege),
    "slowest of them, p95": slowestText(siege),
    "users after": requestsText(settled),
    "runs: iterations, of expected": `${sum(iterationsIn(siege))} of ${Math.round(expectedEach * siege.after.length)}`,
    "runs disturbed, faults": `${disturbed.length}, ${faults.length}`,
    "processor before": useText(calm),
    "processor during the siege": useText(siege),
    "server memory before, peak, after (before and after collected)": [
      seen.memoryBefore,
      seen.memoryPeak,
      seen.memoryAfter,
    ]
      .map(mib)
      .join(", "),
    ...Object.fromEntries(Object.entries(seen.hostile).map(([kind, counts]) => [kind, countsText(counts)])),
    verdict: missed.length === 0 ? "held" : `MISSED: ${missed.join("; ")}`,
  });
  if (missed.length > 0) process.exitCode = 1;
}

const countsText = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .sort()
    .map(([what, count]) => `${what}: ${count}`)
    .join(", ");
