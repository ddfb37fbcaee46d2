// What can be wrong with a database, in one table: how it shows, and what to do about it. The terminal, the start of a server, HTTP and
// `homework doctor` speak from it.

import pg from "pg";
import { AppError, type ErrorCode } from "../lib/app-error.ts";

type Fault = {
  /** Codes of PostgreSQL (SQLSTATE, or the beginning of one), of sockets and of TLS. */
  readonly codes: readonly string[];
  readonly says: string;
  readonly fix: string;
  /** It stays until a person does something: a start ends with it as with wrong settings. */
  readonly stays?: true;
  /** The words are about the settings of the operator: a start and `homework doctor` say them, an answer to a request does not. */
  readonly isOfOperator?: true;
};

export const databaseFaults = {
  wrong_password: {
    codes: ["28"],
    says: "The database refuses the login",
    fix: "Correct user and password in DATABASE_URL. If they are right, pg_hba.conf of the server keeps this machine out",
    stays: true,
    isOfOperator: true,
  },
  missing_database: {
    codes: ["3D000"],
    says: "The server is there, the database is not",
    fix: "Create it (createdb NAME), or correct its name at the end of DATABASE_URL",
    stays: true,
    isOfOperator: true,
  },
  missing_right: {
    codes: ["42501"],
    says: "The login lacks a right that Homework needs",
    fix: "Name a login in DATABASE_URL that may create roles and owns the database; or run `homework db migrate` with such a one, and then as it: GRANT CONNECT ON DATABASE name TO login; GRANT homework_app, homework_auth, homework_system TO login",
    stays: true,
  },
  read_only: {
    codes: ["25006"],
    says: "The database is read-only",
    fix: "It is a standby, or default_transaction_read_only is on: name the primary in DATABASE_URL, or switch it off. Nothing was written",
  },
  disk_full: {
    codes: ["53100"],
    says: "The disk of the database is full",
    fix: "Make room on it. Nothing needs repair, and work continues by itself",
  },
  too_many_connections: {
    codes: ["53300"],
    says: "The database has no connection left",
    fix: "End what else is connected to it, raise max_connections of the server, or lower database_pool_size",
  },
  out_of_resources: {
    codes: ["53"],
    says: "The database has run out of memory",
    fix: "Give the server more memory, or lower its max_connections",
  },
  damaged: {
    codes: ["XX001", "XX002", "58"],
    says: "The database cannot read or write its files",
    fix: "Look at the log of PostgreSQL and at the disk. If files are damaged, restore a backup into a new database",
  },
  starting: {
    codes: ["57P"],
    says: "The database is starting, stopping or recovering",
    fix: "Try again in a moment",
  },
  busy: {
    codes: ["40", "55P03"],
    says: "The database is busy with what others do to the same rows",
    fix: "Try again in a moment",
  },
  no_such_host: {
    codes: ["ENOTFOUND", "EAI_AGAIN"],
    says: "No machine has the name in DATABASE_URL",
    fix: "Correct the name, or see why it is not found from here",
    isOfOperator: true,
  },
  nothing_listens: {
    codes: ["ECONNREFUSED"],
    says: "No database listens at this address",
    fix: "Start PostgreSQL there, or correct host and port in DATABASE_URL",
    isOfOperator: true,
  },
  untrusted: {
    codes: [
      ...["SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
      ...["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID"],
    ],
    says: "The certificate of the database is not trusted here",
    fix: "Name its authority with sslrootcert in DATABASE_URL, or give the server a certificate that is trusted",
    stays: true,
    isOfOperator: true,
  },
  /** Everything without a code: cut off, timed out. */
  unreachable: {
    codes: ["08", "ETIMEDOUT", "ECONNRESET", "EPIPE", "EHOSTUNREACH", "ENETUNREACH"],
    says: "The database does not answer right now",
    fix: "Try again in a moment; if it stays away, see that PostgreSQL runs and can be reached from here",
  },
  embedded_password: {
    codes: [],
    says: "The embedded database does not accept the password in postgres-password",
    fix: "Put the file back from a backup that was made together with the database; or remove it while no Homework runs, and the next start makes a new password",
    stays: true,
  },
  schema_newer: {
    codes: [],
    says: "The database was migrated by a newer Homework",
    fix: "Use that one. To stay with this one, give it a database of its own (--data ./another-folder, or another DATABASE_URL), and restore a dump there that this version made",
    stays: true,
  },
  schema_older: {
    codes: [],
    says: "The database has the schema of an older Homework, and this login may not change it",
    fix: "Run `homework db migrate` once with an administrator's DATABASE_URL",
    stays: true,
  },
  schema_too_old: {
    codes: [],
    says: "The database has a schema that this Homework no longer upgrades",
    fix: "Start it once with the last version that does (`git checkout 0196a4bc`, then `npm ci && npm start`), and then with this one",
    stays: true,
  },
} as const satisfies Record<string, Fault>;

export type DatabaseFault = keyof typeof databaseFaults;

/** `detail`: what the server or the system said, or the numbers it is about. */
export function faultError(
  fault: DatabaseFault,
  given: { readonly code: ErrorCode; readonly detail?: string; readonly cause?: unknown },
): AppError {
  const { says, fix } = databaseFaults[fault];
  const { code, detail, cause } = given;
  const about = detail ? ` (${detail})` : "";
  return new AppError(code, `${says}${about}. ${fix}.`, { cause, details: { fault } });
}

/** Which fault an error of a query or a connection is; null: an error of the query itself. */
export function faultIn(thrown: unknown): DatabaseFault | null {
  return faultOfCode(codeOf(thrown)) ?? (isFromServer(thrown) ? null : "unreachable");
}

/** The fault as a request is told: where the settings of the operator are at fault, the database only does not answer. */
export function faultForCaller(fault: DatabaseFault): DatabaseFault {
  return "isOfOperator" in databaseFaults[fault] ? "unreachable" : fault;
}

/** Of work at a start or of an administrator: other errors, those of files among them, are returned as they are. */
export function explainWork(thrown: unknown): unknown {
  const known = thrown instanceof AppError ? null : findCause(thrown);
  const fault = faultOfCode(codeOf(known));
  return known && fault ? atStart(fault, known, thrown) : thrown;
}

/** Of an attempt to connect: no error of it is anything but a fault. */
export function explainConnecting(thrown: unknown): AppError {
  const fault = faultIn(thrown) ?? "unreachable";
  return atStart(fault, thrown instanceof Error ? thrown : new Error(String(thrown)), thrown);
}

function atStart(fault: DatabaseFault, known: Error, cause: unknown): AppError {
  const code = "stays" in databaseFaults[fault] ? "config_invalid" : "database_unavailable";
  return faultError(fault, { code, detail: wordsOf(known), cause });
}

/** A whole code counts before the beginning of one. */
function faultOfCode(code: string | null): DatabaseFault | null {
  if (code === null) return null;
  const names = Object.keys(databaseFaults) as DatabaseFault[];
  const find = (fits: (known: string) => boolean) =>
    names.find((name) => (databaseFaults[name].codes as readonly string[]).some(fits));
  return find((known) => known === code) ?? find((known) => known.length < 5 && code.startsWith(known)) ?? null;
}

/** The error of the server or of the socket: the one that was thrown, or one that it was made from. */
function findCause(thrown: unknown): Error | null {
  if (!(thrown instanceof Error)) return null;
  return codeOf(thrown) !== null ? thrown : findCause(thrown.cause);
}

const isFromServer = (thrown: unknown): boolean => thrown instanceof pg.DatabaseError;

function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : null;
}

/** Several addresses of one name that were all tried have no words of their own. */
function wordsOf(error: Error): string {
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : [];
  return error.message || (first instanceof Error ? first.message : "");
}
