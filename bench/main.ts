// What we publish numbers from: `npm run bench`, or `npm run bench -- loop sse lists` for some of them. `loop-memory`, `growth`,
// `context --observations 10000` and `steering --seeds 100` take minutes and are run only by name; so are `siege --minutes 10`,
// `loop-ratio --rounds 5 --runs 300`, a short look at one figure of `loop`, and `hostile-text`, which is also part of `hostile`.
// `--write` puts their figures into docs/performance.md and goes on where it broke off.
// Every bench compares with something in the same run, since machines differ.

import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { makeDataFolder, removeDataFolder, startServer, stopServer } from "../test/helpers/served.ts";
import { benchBus } from "./bus.ts";
import { benchContext } from "./context.ts";
import { benchGrowth } from "./growth.ts";
import { benchHostile } from "./hostile.ts";
import { benchHostileText } from "./hostile-text.ts";
import { benchLists } from "./lists.ts";
import { benchLoop, benchLoopMemory, benchLoopRatio } from "./loop.ts";
import { benchRunLists } from "./run-lists.ts";
import { benchSearch } from "./search.ts";
import { benchSiege } from "./siege.ts";
import { benchSse } from "./sse.ts";
import { benchSteering } from "./steering.ts";
import { benchStreams } from "./streams.ts";
import { benchTask } from "./task.ts";
import { benchTokens } from "./tokens.ts";
import { benchWeb } from "./web.ts";
import { writeFigures } from "./write-figures.ts";

const { values: sizes, positionals: wanted } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    runs: { type: "string", default: "300" },
    observations: { type: "string", default: "10000" },
    seeds: { type: "string", default: "100" },
    minutes: { type: "string", default: "10" },
    only: { type: "string" },
    write: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

const benches = {
  bus: benchBus,
  task: benchTask,
  loop: benchLoop,
  "loop-ratio": () => benchLoopRatio(Number(sizes.rounds), Number(sizes.runs)),
  "loop-memory": benchLoopMemory,
  growth: benchGrowth,
  context: () => benchContext(Number(sizes.observations)),
  steering: () => benchSteering(Number(sizes.seeds)),
  tokens: benchTokens,
  sse: benchSse,
  lists: benchLists,
  "run-lists": benchRunLists,
  search: benchSearch,
  hostile: benchHostile,
  "hostile-text": benchHostileText,
  siege: () => benchSiege(Number(sizes.minutes), sizes.only),
  streams: benchStreams,
  web: benchWeb,
};
/** These bring a database of their own and need no server. */
const own: readonly string[] = [
  "bus",
  "task",
  "loop",
  "loop-ratio",
  "loop-memory",
  "growth",
  "context",
  "steering",
  "tokens",
  "siege",
  "hostile-text",
];
const byName: readonly string[] = [
  "loop-ratio",
  "loop-memory",
  "growth",
  "context",
  "steering",
  "siege",
  "hostile-text",
];
type BenchName = keyof typeof benches;

const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}.\n`);
  process.exit(2);
}

const machine = `Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB`;
process.stdout.write(`${machine}\n`);
const names = (
  wanted.length > 0 ? wanted : Object.keys(benches).filter((name) => !byName.includes(name))
) as BenchName[];
if (sizes.write) {
  // The pages have to be built first, so that bench is written only by name.
  await writeFigures(wanted.length > 0 ? names : names.filter((name) => name !== "web"), machine);
  process.exit();
}
for (const name of names) if (own.includes(name)) await benches[name](undefined as never, "");
const served = names.filter((name) => !own.includes(name));
if (served.length > 0) await onServer(served);

async function onServer(bench: readonly BenchName[]): Promise<void> {
  const data = makeDataFolder();
  // Runs are worked on by the bench itself.
  const settings = {
    HOMEWORK_MAX_STREAMS_PER_USER: "2000",
    HOMEWORK_WORKER_CONCURRENCY: "0",
    HOMEWORK_RATE_LIMIT_PER_MINUTE: "1000000",
  };
  const server = await startServer(data, { settings });
  try {
    for (const name of bench) await benches[name](server, data);
  } finally {
    await stopServer(server);
    await removeDataFolder(data);
  }
}
