import { afterAll, beforeEach, expect, test } from "vitest";
import { storeWorld } from "../../test/helpers/store-world.ts";
import { jobIdOf } from "./job-id.ts";
import { completePart, enqueuePart } from "./job-parts.ts";
import { type JobRef, openJobQueue } from "./job-queue.ts";

// Beside the library's own statements: what both leave behind has to be the same.

const { db, admin } = await storeWorld();
const queue = await openJobQueue(db, () => {});
afterAll(() => queue.close());
beforeEach(() => admin.query("delete from homework_queue.job"));

const data = { run_id: "a", note: 'with "quotes"' };

async function perform(part: (bind: (value: unknown, type: string) => string) => string, isThere = true) {
  const values: unknown[] = [];
  const text = part((value, type) => {
    values.push(value);
    return `$${values.length}::${type}`;
  });
  return db.statement(`with before as (select where ${isThere}), part as (${text}) select id from part`, values);
}

async function rowOf(key: string): Promise<object> {
  const { rows } = await admin.query("select to_jsonb(j) as job from homework_queue.job j where id = $1", [
    jobIdOf(key),
  ]);
  return rows[0].job;
}

/** Times as how long after its creation; the rest as it is. */
function shape(row: object): object {
  const found = row as Record<string, unknown>;
  const since = (time: unknown) => (Date.parse(String(time)) - Date.parse(String(found.created_on))) / 1_000;
  const times = ["created_on", "start_after", "keep_until"];
  const happened = ["started_on", "completed_on", "heartbeat_on"];
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => {
      if (name === "id") return [];
      if (times.includes(name)) return [[name, Math.round(since(value))]];
      return [[name, happened.includes(name) ? value !== null : value]];
    }),
  );
}

const fetchOne = async (): Promise<JobRef> => {
  const [job] = await queue.fetch(1);
  if (job === undefined) throw new Error("there is a job");
  return job;
};

test("a job is enqueued as the library does it", async () => {
  await db.asSystem((tx) => queue.enqueue(tx, { key: "theirs", data, notBeforeMs: null, isNews: false }));
  expect(await perform((bind) => enqueuePart(bind, "before", { key: "ours", data }))).toHaveLength(1);
  expect(shape(await rowOf("ours"))).toEqual(shape(await rowOf("theirs")));
  expect((await queue.fetch(10)).map(({ id }) => id)).toEqual([jobIdOf("theirs"), jobIdOf("ours")]);
});

test("a job is completed as the library does it", async () => {
  for (const key of ["theirs", "ours"]) {
    await db.asSystem((tx) => queue.enqueue(tx, { key, data, notBeforeMs: null, isNews: false }));
    const job = await fetchOne();
    if (key === "theirs") await db.asSystem((tx) => queue.complete(tx, job));
    else expect(await perform((bind) => completePart(bind, "before", job))).toHaveLength(1);
  }
  expect(shape(await rowOf("ours"))).toEqual(shape(await rowOf("theirs")));
});

test("one that is there already is not enqueued", async () => {
  const part = (bind: (value: unknown, type: string) => string) => enqueuePart(bind, "before", { key: "twice", data });
  expect(await perform(part)).toHaveLength(1);
  expect(await perform(part)).toHaveLength(0);
});

test("only the newest delivery completes a job", async () => {
  await perform((bind) => enqueuePart(bind, "before", { key: "a", data }));
  const job = await fetchOne();
  await queue.release(job, 0);
  const again = await fetchOne();
  expect(await perform((bind) => completePart(bind, "before", job))).toHaveLength(0);
  expect(await perform((bind) => completePart(bind, "before", again))).toHaveLength(1);
});

test("nothing happens where nothing came before", async () => {
  expect(await perform((bind) => enqueuePart(bind, "before", { key: "a", data }), false)).toHaveLength(0);
  await perform((bind) => enqueuePart(bind, "before", { key: "a", data }));
  const job = await fetchOne();
  expect(await perform((bind) => completePart(bind, "before", job), false)).toHaveLength(0);
});
