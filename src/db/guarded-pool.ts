// A pool as Kysely uses it: errors of connections and queries are told apart (`errors.ts`), statements that come again are prepared, and those
// whose answer is not waited for travel with the one that follows, which saves two to four round trips in every transaction.

import type { Duplex } from "node:stream";
import type pg from "pg";
import { fromPgError } from "./errors.ts";

/** What comes without values may be several commands in one, as pg-boss looks after its queue: those cannot be prepared. */
const named = (name: string | null, text: string, values: unknown[]): pg.QueryConfig =>
  name === null || values.length === 0 ? { text, values } : { name, text, values };

/** More than the platform has statements; what comes after them is planned every time. */
const preparedMax = 200;
/** Shorter ones are planned as quickly as looked up. */
const preparedLengthMin = 50;

/** Long statements that come again are prepared once on each connection: planning them takes longer than running them. */
export function preparedNames(): (text: string) => string | null {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length < preparedLengthMin) return null;
    const name = known.get(text);
    if (name !== undefined || known.size >= preparedMax) return name ?? null;
    known.set(text, `homework_${known.size + 1}`);
    return known.get(text) ?? null;
  };
}

const begin = "begin";

/**
 * At the beginning of a statement: its answer is not looked at, so it may travel with the one that follows in its transaction, at the
 * latest with the commit. If it fails, that one fails with its error.
 */
export const withNext = "/* with the next */";

/** Nothing of what they answer is looked at, and what they change is seen by the next statement first. */
const isBeginning = (text: string): boolean => text === begin || text.startsWith("select set_config(");

const isEnd = (text: string): boolean => text === "commit" || text === "rollback";

const nothing = { command: "", rowCount: 0, rows: [] };

export function guarded(
  pool: pg.Pool,
  onConnectionLost: (error: unknown) => void,
  onUnavailable: (failure: unknown) => void = () => {},
  nameOf: (text: string) => string | null = () => null,
): pg.Pool {
  const fail = (thrown: unknown) => {
    const error = fromPgError(thrown);
    if (error !== thrown) onUnavailable(error);
    return error;
  };
  const connect = async () => {
    const client = await pool.connect().catch((thrown: unknown) => {
      onConnectionLost(thrown);
      throw fail(thrown);
    });
    const holdBack = makeHolding();
    let broken = false;
    const send = async (queries: readonly pg.QueryConfig[]) => {
      const answers = await Promise.allSettled(inOnePacket(client, queries));
      // What failed first made the others fail.
      const failed = answers.find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") {
        const error = fail(failed.reason);
        broken ||= error !== failed.reason || failed !== answers.at(-1);
        throw error;
      }
      return (answers.at(-1) as PromiseFulfilledResult<pg.QueryResult>).value;
    };
    return {
      query: async (text: string, values: unknown[]) => {
        const queries = holdBack(named(nameOf(text), text, values));
        return queries.length > 0 ? send(queries) : nothing;
      },
      release: (discard?: boolean) => client.release(Boolean(discard) || broken),
    };
  };
  return { options: pool.options, end: () => pool.end(), connect } as unknown as pg.Pool;
}

/** For one connection: which statements are sent now that this one comes; none where it is held back itself. */
function makeHolding() {
  let isInTransaction = false;
  let held: readonly pg.QueryConfig[] = [];
  return (query: pg.QueryConfig): readonly pg.QueryConfig[] => {
    const { text } = query;
    if (text === begin) isInTransaction = true;
    if (isBeginning(text) || (isInTransaction && text.startsWith(withNext))) {
      held = [...held, query];
      return [];
    }
    const before = held;
    held = [];
    if (!isEnd(text)) return [...before, query];
    isInTransaction = false;
    return endWith(query, before);
  };
}

/** What is taken back need not be sent, and a transaction in which nothing was sent need not be ended. */
function endWith(end: pg.QueryConfig, held: readonly pg.QueryConfig[]): readonly pg.QueryConfig[] {
  if (end.text === "commit" && held.some(({ text }) => text.startsWith(withNext))) return [...held, end];
  const isBegun = !held.some(({ text }) => text === begin);
  return isBegun ? [end] : [];
}

/** The pool has to be in pipeline mode. */
function inOnePacket(client: pg.PoolClient, queries: readonly pg.QueryConfig[]): Promise<pg.QueryResult>[] {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection;
  stream.cork();
  try {
    return queries.map((query) => client.query(query));
  } finally {
    stream.uncork();
  }
}
