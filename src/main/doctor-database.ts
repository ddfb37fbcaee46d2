// `homework doctor`, the database: whether it can be reached, may be written, has room and the right schema, and is as safe as it was made.

import type pg from "pg";
import type { Finding } from "../cli/ports.ts";
import {
  brokenAuditRow,
  durabilityOff,
  missingRights,
  roleFlags,
  tableSecurity,
  takenConnections,
  whyNotWritable,
} from "../db/examine.ts";
import { type DatabaseFault, databaseFaults } from "../db/faults.ts";
import { appliedVersion, isTooOld, newestVersion } from "../db/migrate.ts";
import { AppError } from "../lib/app-error.ts";
import { asAdmin } from "./database-port.ts";
import { examineChannels } from "./doctor-channels.ts";
import { ok, problem, warning } from "./findings.ts";
import type { ServeInput } from "./serve.ts";

/** The rest is needed by the next ones who come, an administrator among them. */
const takenShareMax = 0.9;

export async function examineDatabase(input: ServeInput): Promise<readonly Finding[]> {
  try {
    return await asAdmin(input, async (admin) => {
      const version = await admin.query<{ v: string }>("select current_setting('server_version') as v");
      const reached = [
        ok("database", `PostgreSQL ${version.rows[0]?.v} answers`),
        await writes(admin),
        await connections(admin),
      ];
      const schema = await appliedVersion(admin);
      if (schema < newestVersion()) reached.push(...(await rights(admin)));
      if (schema === 0) return [...reached, ok("schema", "empty; made at the first start"), await durability(admin)];
      return [
        ...reached,
        schemaFinding(schema),
        await durability(admin),
        await roles(admin),
        await rowSecurity(admin),
        await audit(admin),
        ...(schema === newestVersion() ? await examineChannels(admin) : []),
      ];
    });
  } catch (thrown) {
    return [unreachable(AppError.from(thrown))];
  }
}

/** Every fault says what to do in its message already. */
function unreachable({ message, details, cause }: AppError): Finding {
  const { fault } = details as { readonly fault?: DatabaseFault };
  if (fault)
    return problem("database", message.replace(` ${databaseFaults[fault].fix}.`, ""), databaseFaults[fault].fix);
  const said = cause instanceof Error ? ` (${cause.message})` : "";
  return problem("database", `${message}${said}`, "Look at the log of the embedded database in the data folder");
}

async function writes(admin: pg.Client): Promise<Finding> {
  const why = await whyNotWritable(admin);
  if (why === null) return ok("writes", "the database takes writes");
  const { says, fix } = databaseFaults[why];
  return problem("writes", says, fix);
}

async function connections(admin: pg.Client): Promise<Finding> {
  const { taken, max } = await takenConnections(admin);
  const words = `${taken} of ${max} connections are taken`;
  if (taken <= max * takenShareMax) return ok("connections", words);
  return warning("connections", words, databaseFaults.too_many_connections.fix);
}

/** Asked only while there is something to make: afterwards a login needs none of them. */
async function rights(admin: pg.Client): Promise<readonly Finding[]> {
  const missing = await missingRights(admin);
  if (missing.length === 0) return [];
  const { says, fix } = databaseFaults.missing_right;
  return [problem("rights", `${says}: ${missing.join(", ")}`, fix)];
}

function schemaFinding(version: number): Finding {
  if (version === newestVersion()) return ok("schema", `version ${version}`);
  if (isTooOld(version)) return schemaProblem("schema_too_old", version);
  if (version < newestVersion())
    return warning(
      "schema",
      `version ${version}, this program has ${newestVersion()}`,
      "Run `homework db migrate`, or just start it",
    );
  return schemaProblem("schema_newer", version);
}

function schemaProblem(fault: "schema_newer" | "schema_too_old", version: number): Finding {
  const { says, fix } = databaseFaults[fault];
  return problem("schema", `${says} (schema ${version}, this version knows ${newestVersion()})`, fix);
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
