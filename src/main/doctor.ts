// `homework doctor`: looks at everything that has to be right, says what is not, and what to do about it.

import { statfsSync, statSync } from "node:fs";
import path from "node:path";
import type { Finding } from "../cli/ports.ts";
import { inspectEmbedded } from "../db/embedded/inspect-embedded.ts";
import { findRunningServer } from "./data-folder.ts";
import { examineDatabase } from "./doctor-database.ts";
import { ok, problem, warning } from "./findings.ts";
import { webPages } from "./ports-web.ts";
import type { ServeInput } from "./serve.ts";

/** Below this, a busy day fills the disk. */
const freeBytesMin = 1024 ** 3;

export async function examine(input: ServeInput): Promise<readonly Finding[]> {
  const { config } = input;
  return [
    node(),
    dataFolder(config.data),
    disk(config.data),
    ...(config.database_url === null ? embedded(config.data) : []),
    ...(await examineDatabase(input)),
    await pages(),
    await server(config.data),
  ];
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return ok("node", `Node ${process.versions.node}`);
  return problem(
    "node",
    `Node ${process.versions.node} is too old`,
    "Use Node 22.18 or newer, or run `npm ci` to bring one along",
  );
}

function dataFolder(data: string): Finding {
  const found = statSync(data, { throwIfNoEntry: false });
  if (!found) return ok("data_folder", `${data} will be made at the first start`);
  if (!found.isDirectory()) return problem("data_folder", `${data} is not a folder`, "Name another one with --data");
  const secret = statSync(path.join(data, "secret"), { throwIfNoEntry: false });
  if (secret && (secret.mode & 0o077) !== 0)
    return problem("data_folder", `${data}/secret can be read by others`, `chmod 600 ${data}/secret`);
  return ok("data_folder", data);
}

function disk(data: string): Finding {
  let folder = data;
  while (!statSync(folder, { throwIfNoEntry: false }) && folder !== path.dirname(folder)) folder = path.dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const words = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  if (free >= freeBytesMin) return ok("disk", words);
  return warning(
    "disk",
    `only ${words}`,
    "Make room: when the disk is full, writes are refused until there is space again",
  );
}

function embedded(data: string): readonly Finding[] {
  const { server: found, orphans, busyWith, version, logFile } = inspectEmbedded(data);
  const findings: Finding[] = [];
  if (found.state === "stale")
    findings.push(
      warning(
        "postmaster",
        `postmaster.pid names process ${found.pid}, which is gone`,
        "Nothing: the next start clears it away",
      ),
    );
  if (found.state === "unclear")
    findings.push(
      problem(
        "postmaster",
        `process ${found.process.pid} may or may not be the database`,
        `Look at it and at ${logFile}`,
      ),
    );
  if (orphans && orphans.length > 0)
    findings.push(
      warning(
        "orphans",
        `database processes without a master: ${orphans.join(", ")}`,
        "They end by themselves; if not, end them by pid",
      ),
    );
  if (busyWith !== null) findings.push(ok("lock", `process ${busyWith} is starting or stopping the database just now`));
  if (findings.length === 0)
    findings.push(ok("postmaster", version === null ? "none yet" : `PostgreSQL ${version}, ${found.state}`));
  return findings;
}

async function pages(): Promise<Finding> {
  const why = await webPages.whyStale();
  if (why === null) return ok("web_pages", "built");
  return warning(
    "web_pages",
    `the web pages are not up to date: ${why}`,
    "Run `npm run build`, or start with `npm start`",
  );
}

async function server(data: string): Promise<Finding> {
  const running = await findRunningServer(data);
  return ok("server", running ? `runs at ${running.url} (process ${running.pid})` : "not running on this data folder");
}
