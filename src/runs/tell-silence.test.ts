import { sql } from "kysely";
import { expect, test } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import type { Tx } from "../db/database.ts";
import { cancel } from "../domain/run/commands.ts";
import type { Run } from "../domain/run/run.ts";
import { realEnv } from "../main/env.ts";
import { findViolations } from "../store/run/run-invariants.ts";
import { listRuns } from "../store/run-view/run-list-store.ts";
import { findRunView } from "../store/run-view/run-view-store.ts";
import type { Journal } from "./ports/engine.ts";

const world = await runWorld();
const user = await world.makeUser();

type Tell = Parameters<Parameters<Journal<Tx>["ask"]>[1]>[2];
const call = { key: "llm:0", role: "planner", model: "someone/slow", reservedMicroUsd: 190_000 };
const twoMinutes = 120_000;

/** What its user is shown: in a list, on its page, and in the bell. */
async function look({ id, userId }: Run) {
  const shown = await world.db.asUser({ userId }, async (tx) => ({
    listed: (await listRuns(tx, { limit: 100 })).items.find((run) => run.id === id)?.silences,
    page: await findRunView(tx, id),
  }));
  const { rows: bell } = await sql<{ event: string; message: string; isRead: boolean }>`
    select event, message, read_at is not null as "isRead" from user_notifications where run_id = ${id}`.execute(
    world.db.system,
  );
  return { ...shown, bell };
}

const typesOf = async ({ id }: Run) =>
  (await world.events(id)).map(({ type }) => type).filter((type) => type.startsWith("model"));

async function waitFor(run: Run, ...types: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 1_000 && (await typesOf(run)).join() !== types.join(); tries++) await realEnv.sleep(20);
  expect(await typesOf(run)).toEqual(types);
}

/** Works on a run whose model is asked like this, one step after the other; then it is canceled. */
async function play(steps: readonly ((tell: Tell, run: Run) => Promise<"answered" | "failed">)[]): Promise<Run> {
  const done = Promise.withResolvers<void>();
  const worker = world.work({
    iterate: async ({ run }, journal) => {
      try {
        let answered = 0;
        for (const step of steps)
          await journal.ask({ ...call, key: `llm:${answered}` }, async (_callId, _signal, tell) => {
            const came = await step(tell, run);
            if (came === "answered") answered += 1;
            return {
              result: {},
              usage: "unknown",
              isKept: came === "answered",
              error: came === "answered" ? null : "no answer",
            };
          });
        done.resolve();
      } catch (thrown) {
        done.reject(thrown);
      }
      return { kind: "held", fault: { kind: "hold", untilMs: realEnv.now() + 600_000, why: "no answer in time" } };
    },
  });
  const run = await world.create(user);
  await done.promise.finally(() => worker.close());
  expect(await findViolations(world.db, 3)).toEqual([]);
  await world.command(run, cancel);
  return run;
}

test("a model that does not answer is told of in lists, on the page, in the history and once in the bell, with what is at stake", async () => {
  const run = await play([
    async (tell, of) => {
      tell({ silentMs: twoMinutes, triesLeft: 1 });
      await waitFor(of, "model_silent");
      const { listed, page, bell } = await look(of);
      expect(listed).toMatchObject([
        { entry: "llm:0", model: "someone/slow", tries: 1, triesMost: 2, atStakeMicroUsd: 190_000 },
      ]);
      expect(page?.silences).toEqual(listed);
      expect(bell).toEqual([
        {
          event: "holding",
          isRead: false,
          message: expect.stringContaining("not answered for 2 min, try 1 of 2, at most $0.19 at stake"),
        },
      ]);
      return "failed";
    },
    async (tell, of) => {
      expect((await look(of)).listed).toEqual([]);
      tell({ silentMs: 2 * twoMinutes, triesLeft: 0 });
      await waitFor(of, "model_silent", "model_silent");
      const { listed, bell } = await look(of);
      expect(listed).toMatchObject([{ tries: 2, triesMost: 2, atStakeMicroUsd: 380_000 }]);
      // Not told twice of the same.
      expect(bell).toMatchObject([{ message: expect.stringContaining("try 1 of 2") }]);
      return "failed";
    },
  ]);
  expect((await look(run)).listed).toEqual([]);
});

test("tries begin anew with the next attempt; what earlier ones may cost stays at stake", async () => {
  await play([
    async (_tell, of) => {
      // As an earlier attempt, which was held, would have left it.
      await sql`update llm_usage_logs set fence = fence - 1 where run_id = ${of.id}`.execute(world.db.system);
      return "failed";
    },
    async (tell, of) => {
      tell({ silentMs: twoMinutes, triesLeft: 1 });
      await waitFor(of, "model_silent");
      expect((await look(of)).listed).toMatchObject([{ tries: 1, triesMost: 2, atStakeMicroUsd: 380_000 }]);
      return "failed";
    },
  ]);
});

test("one that answers again is told of no more, and its notification is read", async () => {
  await play([
    async (tell, of) => {
      tell({ silentMs: twoMinutes, triesLeft: 1 });
      await waitFor(of, "model_silent");
      tell(null);
      await waitFor(of, "model_silent", "model_heard");
      expect(await look(of)).toMatchObject({ listed: [], bell: [{ isRead: true }] });
      return "answered";
    },
  ]);
});

test("one that is slow with every answer is told of once an hour, not with each", async () => {
  const toldOf = async ({ id }: Run) => {
    const { rows } = await sql<{ times: number; told: number }>`
      select told as times, (select count(*)::int from homework_run_events where run_id = ${id} and event ? 'is_told') as told
        from user_notifications where run_id = ${id}`.execute(world.db.system);
    return rows;
  };
  const silences = (count: number) =>
    Array.from({ length: count }, (_, n) => (n % 2 === 0 ? "model_silent" : "model_heard"));
  const slow = async (tell: Tell, of: Run, before: number) => {
    tell({ silentMs: twoMinutes, triesLeft: 1 });
    await waitFor(of, ...silences(before + 1));
    const told = await toldOf(of);
    tell(null);
    await waitFor(of, ...silences(before + 2));
    return told;
  };
  await play([
    async (tell, of) => {
      expect(await slow(tell, of, 0)).toEqual([{ times: 1, told: 1 }]);
      return "answered";
    },
    async (tell, of) => {
      expect(await slow(tell, of, 2)).toEqual([{ times: 1, told: 1 }]);
      await world.admin.query(
        "update homework.homework_run_events set created_at = created_at - interval '1 hour' where run_id = $1",
        [of.id],
      );
      return "answered";
    },
    async (tell, of) => {
      expect(await slow(tell, of, 4)).toEqual([{ times: 2, told: 2 }]);
      return "answered";
    },
  ]);
});

test("one that answers in time is not told of", async () => {
  const run = await play([async () => "answered"]);
  expect(await typesOf(run)).toEqual([]);
  expect((await look(run)).bell).toEqual([]);
});

test("what is told under a lease that is lost is not written", async () => {
  const run = await play([
    async (_tell, of) => {
      const row = await world.store.transaction((tx) => tx.lockRun(of.id));
      const lease = {
        runId: of.id,
        userId: of.userId,
        iteration: 1,
        attempt: 1,
        fence: (row?.run.fence ?? 0) - 1,
        job: { id: "j", attempt: 1 },
      };
      const silence = { silentMs: twoMinutes, triesLeft: 1 };
      expect(await world.store.noteSilence(lease, { ...call, callId: realEnv.newId() }, silence)).toBe("lost");
      return "answered";
    },
  ]);
  expect(await typesOf(run)).toEqual([]);
});
