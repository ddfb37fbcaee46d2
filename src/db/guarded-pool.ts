// A pool as Kysely uses it: errors of connections and queries are told apart (`errors.ts`), statements that come again are prepared, and what only
// begins something travels with the statement that follows, which saves a round trip or two in every transaction.

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
    let broken = false;
    let begun: pg.QueryConfig[] = [];
    const send = async (query: pg.QueryConfig) => {
      const queries = [...begun, query];
      begun = [];
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
        const query = named(nameOf(text), text, values);
        if (isBeginning(text)) {
          begun.push(query);
          return nothing;
        }
        if (!isEnd(text)) return send(query);
        const isEmpty = begun.some((each) => each.text === begin);
        begun = [];
        return isEmpty ? nothing : send(query);
      },
      release: (discard?: boolean) => client.release(Boolean(discard) || broken),
    };
  };
  return { options: pool.options, end: () => pool.end(), connect } as unknown as pg.Pool;
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
