// `homework doctor --backup`: makes a dump of the live database, restores it into an embedded one that is thrown away, and compares every row.
// The database itself is only read.

import { createHash } from "node:crypto";
import { mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type { Finding } from "../cli/ports.ts";
import { dump } from "../db/dump.ts";
import { linesOf, markOf } from "../db/dump-format.ts";
import { openEmbedded } from "../db/embedded/open-embedded.ts";
import { removeEmbedded } from "../db/embedded/stop-embedded.ts";
import { appliedVersion, migrate, newestVersion } from "../db/migrate.ts";
import { withDatabase } from "../db/prepare.ts";
import { restore } from "../db/restore.ts";
import { namesIn } from "../files/owned-files.ts";
import { isAlive, nameAfter, namedProcess, thisProcess } from "../files/process-identity.ts";
import { putInPlace } from "../files/put-in-place.ts";
import { AppError } from "../lib/app-error.ts";
import { asAdmin } from "./database-port.ts";
import { realEnv } from "./env.ts";
import { ok, problem } from "./findings.ts";
import type { ServeInput } from "./serve.ts";

/** What is thrown away need not survive a power cut. */
const hurried = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };

/** Named after the process, so that a later proof can tell what a killed one has left. */
const folderPrefix = "backup-proof-";
const databaseIn = (folder: string) => path.join(folder, "database");

/** `stop`: ends the proof early; the throw-away database is removed all the same. */
export async function proveBackup(input: ServeInput, stop: AbortSignal): Promise<readonly Finding[]> {
  const { data } = input.config;
  const folder = path.join(data, folderPrefix + nameAfter(thisProcess(), realEnv.newId()));
  try {
    await removeAbandoned(data);
    return [await prove(input, folder, stop)];
  } catch (thrown) {
    stop.throwIfAborted();
    const { code, message, cause } = AppError.from(thrown);
    const said = code === "internal" && cause instanceof Error ? `: ${cause.message}` : "";
    return [
      problem("backup", `a backup could not be proven. ${message}${said}`, "Keep the backups you have until it can"),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What proofs have left whose process was killed: copies of the data, and servers that still run on them. */
async function removeAbandoned(data: string): Promise<void> {
  for (const name of namesIn(data).filter((each) => each.startsWith(folderPrefix))) {
    const prover = namedProcess(name.slice(folderPrefix.length));
    if (prover && isAlive(prover)) continue;
    const folder = path.join(data, name);
    await removeEmbedded(databaseIn(folder), realEnv);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function prove(input: ServeInput, folder: string, stop: AbortSignal): Promise<Finding> {
  const made = path.join(folder, "made.dump");
  const restored = path.join(folder, "restored.dump");
  const schema = await asAdmin(input, appliedVersion);
  if (schema !== newestVersion())
    return problem(
      "backup",
      `the schema has version ${schema}, not ${newestVersion()}`,
      "Start Homework once, then ask again",
    );
  mkdirSync(folder, { mode: 0o711 });
  const { rows } = await asAdmin(input, (admin) =>
    putInPlace({ file: made, overwrite: false, env: realEnv }, (draft) => dump(admin, draft, stop)),
  );
  await inThrowAway(input, { dataDir: databaseIn(folder), stop }, (url) =>
    withDatabase({ url, name: "homework proof" }, async (admin) => {
      await migrate(admin);
      await restore(admin, made, false);
      await putInPlace({ file: restored, overwrite: false, env: realEnv }, (draft) => dump(admin, draft, stop));
    }),
  );
  const different = differencesOf(await digestsOf(made, stop), await digestsOf(restored, stop));
  const bytes = (statSync(made).size / 1024 ** 2).toFixed(1);
  if (different.length === 0)
    return ok(
      "backup",
      `a dump of ${rows} rows (${bytes} MB) was restored into a throw-away database: every row is the same`,
    );
  return problem(
    "backup",
    `restored from a dump, these are not the same: ${different.join(", ")}`,
    "This should never be: keep a copy of the data folder, and report it",
  );
}

async function inThrowAway(
  { logger }: ServeInput,
  { dataDir, stop }: { readonly dataDir: string; readonly stop: AbortSignal },
  work: (url: string) => Promise<void>,
): Promise<void> {
  const platform = { uid: process.getuid?.(), pid: process.pid };
  try {
    const cluster = await openEmbedded({ dataDir, env: realEnv, logger, say: () => {}, settings: hurried, platform });
    // Whatever is at work on the server fails as soon as the server ends.
    const end = () => void cluster.release().catch(() => {});
    stop.addEventListener("abort", end, { once: true });
    try {
      stop.throwIfAborted();
      await work(cluster.adminUrl);
    } finally {
      stop.removeEventListener("abort", end);
      await cluster.release();
    }
  } finally {
    await removeEmbedded(dataDir, realEnv);
  }
}

type Digests = ReadonlyMap<string, string>;

/** Of each table how many rows it has and what they add up to, in whatever order they come; of each sequence its number. */
export async function digestsOf(file: string, stop?: AbortSignal): Promise<Digests> {
  const digests = new Map<string, string>();
  let table = "";
  let rows = 0;
  let sum = 0n;
  const keep = () => {
    if (table !== "") digests.set(table, `${rows} ${sum}`);
    rows = 0;
    sum = 0n;
  };
  for await (const line of linesOf(file)) {
    stop?.throwIfAborted();
    const mark = markOf(line);
    if (mark === null) {
      rows += 1;
      sum += BigInt(`0x${createHash("sha256").update(line).digest("hex")}`);
      continue;
    }
    keep();
    table = "table" in mark ? mark.table : "";
    if ("sequence" in mark) digests.set(mark.sequence, mark.next);
  }
  return digests;
}

export const differencesOf = (one: Digests, other: Digests): readonly string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
