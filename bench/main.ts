// What we publish numbers from: `npm run bench`, or `npm run bench -- lists search streams` for some of them.
// Every bench compares with something in the same run, since machines differ.

import { cpus, totalmem } from "node:os";
import { makeDataFolder, removeDataFolder, startServer, stopServer } from "../test/helpers/served.ts";
import { benchLists } from "./lists.ts";
import { benchSearch } from "./search.ts";
import { benchStreams } from "./streams.ts";

const benches = { lists: benchLists, search: benchSearch, streams: benchStreams };
type BenchName = keyof typeof benches;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}.\n`);
  process.exit(2);
}

process.stdout.write(
  `Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB\n`,
);
const data = makeDataFolder();
const server = await startServer(data, { settings: { HOMEWORK_MAX_STREAMS_PER_USER: "2000" } });
try {
  for (const name of (wanted.length > 0 ? wanted : Object.keys(benches)) as BenchName[])
    await benches[name](server, data);
} finally {
  await stopServer(server);
  await removeDataFolder(data);
}
