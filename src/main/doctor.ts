// `homework doctor`: looks at everything that has to be right, says what is not, and what to do about it.

import { statfsSync, statSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import type { Finding } from "../cli/ports.ts";
import { inspectEmbedded } from "../db/embedded/inspect-embedded.ts";
import { brokenAuditRow, durabilityOff, roleFlags, tableSecurity } from "../db/examine.ts";
import { appliedVersion, newestVersion } from "../db/migrate.ts";
import { AppError } from "../lib/app-error.ts";
import { findRunningServer } from "./data-folder.ts";
import { asAdmin } from "./database-port.ts";
import { examineChannels } from "./doctor-channels.ts";
import { webPages } from "./ports-web.ts";
import type { ServeInput } from "./serve.ts";

const ok = (name: string, message: string): Finding => ({ name, status: "ok", message, fix: null });
const warning = (name: string, message: string, fix: string): Finding => ({ name, status: "warning", message, fix });
const problem = (name: string, message: string, fix: string): Finding => ({ name, status: "problem", message, fix });

/** Below this, a busy day fills the disk. */
const freeBytesMin = 1024 ** 3;

export async function examine(input: ServeInput): Promise<readonly Finding[]> {
  const { config } = input;
  return [
    node(),
    dataFolder(config.data),
    disk(config.data),
    ...(config.database_url === null ? embedded(config.data) : []),
    ...(await database(input)),
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

async function database(input: ServeInput): Promise<readonly Finding[]> {
  try {
    return await asAdmin(input, async (admin) => {
      const version = await admin.query<{ v: string }>("select current_setting('server_version') as v");
      const reached = ok("database", `PostgreSQL ${version.rows[0]?.v} answers`);
      const schema = await appliedVersion(admin);
      if (schema === 0) return [reached, ok("schema", "empty; made at the first start"), await durability(admin)];
      return [
        reached,
        schemaFinding(schema),
        await durability(admin),
        await roles(admin),
        await rowSecurity(admin),
        await audit(admin),
        ...(schema === newestVersion() ? await examineChannels(admin) : []),
      ];
    });
  } catch (thrown) {
    const error = AppError.from(thrown);
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
    return [
      problem(
        "database",
        `${error.message}${cause}`,
        "Check DATABASE_URL, or the log of the embedded database in the data folder",
      ),
    ];
  }
}

function schemaFinding(version: number): Finding {
  if (version === newestVersion()) return ok("schema", `version ${version}`);
  if (version < newestVersion())
    return warning(
      "schema",
      `version ${version}, this program has ${newestVersion()}`,
      "Run `homework db migrate`, or just start it",
    );
  return problem(
    "schema",
    `version ${version} is newer than this program (${newestVersion()})`,
    "Use the newer program",
  );
}

async function durability(admin: pg.Client): Promise<Finding> {
  const off = await durabilityOff(admin);
  if (off.length === 0) return ok("durability", "fsync, synchronous_commit and full_page_writes are on");
  return problem(
    "durability",
    `${off.join(", ")} off: a power cut loses acknowledged writes`,
    "Switch them on in postgresql.conf",
  );
}

async function roles(admin: pg.Client): Promise<Finding> {
  const bad = (await roleFlags(admin)).filter((role) => role.isSuper || role.bypassesRls || role.owns > 0);
  if (bad.length === 0)
    return ok("roles", "our login is no superuser, cannot pass row level security and owns no table");
  return problem(
    "roles",
    `too powerful: ${bad.map(({ role }) => role).join(", ")}`,
    "Take superuser, bypassrls and ownership from them",
  );
}

async function rowSecurity(admin: pg.Client): Promise<Finding> {
  const tables = await tableSecurity(admin);
  const open = tables.filter((table) => !table.isEnabled || !table.isForced || table.uncovered.length > 0);
  if (open.length === 0) return ok("row_security", `forced on all ${tables.length} tables`);
  return problem(
    "row_security",
    `not complete on ${open.map(({ table }) => table).join(", ")}`,
    "Somebody changed the schema by hand: restore a dump into a new database",
  );
}

async function audit(admin: pg.Client): Promise<Finding> {
  const broken = await brokenAuditRow(admin);
  if (broken === null) return ok("audit_log", "every row fits the one before it");
  return problem(
    "audit_log",
    `row ${broken} was changed after it was written`,
    "Compare with a dump; it was done with the database's password",
  );
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
