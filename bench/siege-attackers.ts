// The besiegers, a process of their own: `node bench/siege-attackers.ts <address on 127.0.0.1> <JSON of accounts> [kind]`. 200 clients from eight
// addresses, each of one kind (siege-attacks.ts), until standard input ends; then the tally is printed as JSON.
//
// They share the processor with the server. So that the server is measured and not they, all of them wait longer when this process takes
// more than `coreShareMax` of a core; what they took is in the tally.

import { setTimeout as sleep } from "node:timers/promises";
import { type Attacker, type AttackTally, attacks, type HostileAccount } from "./siege-attacks.ts";

const addresses = 8;
const coreShareMax = 0.35;
const lookMs = 1_000;
const slowestPace = 60;

type Paced = { pace: number };

async function attackUntil(
  url: string,
  accounts: readonly HostileAccount[],
  only: string | undefined,
  signal: AbortSignal,
): Promise<AttackTally> {
  const tally: AttackTally = {};
  const paced: Paced = { pace: 1 };
  let index = 0;
  const chosen = Object.entries(attacks).filter(([kind]) => only === undefined || kind === only);
  const all = chosen.flatMap(([kind, { clients, pauseMs, attack }]) =>
    Array.from({ length: clients }, async () => {
      const at = index++;
      const attacker: Attacker = {
        url,
        localAddress: `127.0.0.${2 + (at % addresses)}`,
        account: accounts[at % accounts.length] as HostileAccount,
        at,
        count: (what) => {
          const row = tally[kind] ?? {};
          row[what] = (row[what] ?? 0) + 1;
          tally[kind] = row;
        },
        signal,
      };
      await sleep(Math.random() * 2_000);
      while (!signal.aborted) {
        await attack(attacker);
        await sleep(pauseMs * paced.pace * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
      }
    }),
  );
  const share = keepPace(paced, signal);
  await Promise.all(all);
  tally["processor of the attackers"] = { "percent of a core": Math.round((await share) * 100) };
  return tally;
}

/** Answers with the share of a core that was taken over the whole time. */
async function keepPace(paced: Paced, signal: AbortSignal): Promise<number> {
  const [beganAt, first] = [performance.now(), process.cpuUsage()];
  const shareOf = (before: NodeJS.CpuUsage, sinceMs: number) => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / (performance.now() - sinceMs);
  };
  while (!signal.aborted) {
    const [at, before] = [performance.now(), process.cpuUsage()];
    await sleep(lookMs, undefined, { signal }).catch(() => {});
    const factor = shareOf(before, at) > coreShareMax ? 1.5 : 0.9;
    paced.pace = Math.min(slowestPace, Math.max(1, paced.pace * factor));
  }
  return shareOf(first, beganAt);
}

if (import.meta.main) {
  const [url = "", accounts = "[]", only] = process.argv.slice(2);
  if (new URL(url).hostname !== "127.0.0.1") throw new Error("attacks go to 127.0.0.1 only");
  const ending = new AbortController();
  process.stdin.resume().once("end", () => ending.abort());
  const tally = await attackUntil(url, JSON.parse(accounts) as HostileAccount[], only, ending.signal);
  process.stdout.write(JSON.stringify(tally), () => process.exit());
}
