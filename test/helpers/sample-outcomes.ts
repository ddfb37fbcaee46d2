// Outcomes for the sample world: one in the middle of its work, with tasks in every state and all that HOMЯ leaves behind, and one with
// as many tasks as a picture of their dependencies has to stay readable with.

import pg from "pg";
import { routes } from "../../src/protocol/api.ts";
import { embeddedDatabase } from "../chaos/chaos-database.ts";
import { insertOutcome } from "./outcome-rows.ts";
import { insertRun } from "./run-rows.ts";
import type { Person } from "./web-session.ts";

export type SampleOutcomes = {
  readonly outcomeId: string;
  /** Its completed task, with two attempts. */
  readonly outcomeTaskId: string;
  /** Fifty tasks. */
  readonly longOutcomeId: string;
};

export async function fillSampleOutcomes(
  { data }: { readonly data: string },
  { api }: Person,
): Promise<SampleOutcomes> {
  const admin = new pg.Pool({ connectionString: embeddedDatabase(data).adminUrl(), max: 1 });
  try {
    const { user } = await api(routes.identity.me, {});
    const { outcomeId, tasks } = await insertOutcome(admin, user.id, { status: "paused", name: "Open the lamp shop" });
    for (const task of moreTasks) await api(routes.outcomeTasks.create, { params: { outcomeId }, body: { ...task } });
    await tellItsStory(admin, outcomeId, await insertRun(admin, user.id, "queued"));
    const { id: longOutcomeId } = await api(routes.outcomes.create, {
      body: { name: "Move the museum", brief: "Everything goes to Harbour Street.", tasks: fiftyTasks() },
    });
    return { outcomeId, outcomeTaskId: tasks[0], longOutcomeId };
  } finally {
    await admin.end();
  }
}

const moreTasks = [
  { title: "Write the page about brass lamps", description: "With a picture of each.", priority: 50 },
  { title: "Translate all pages into French", description: "" },
  { title: "Check every price against the price list", description: "" },
];

const titles: Readonly<Record<number, string>> = {
  1: "Choose the lamps to sell",
  2: "Build the checkout form",
  3: "Take pictures of all lamps",
  4: "Publish the shop",
};

async function tellItsStory(admin: pg.Pool, outcomeId: string, runId: string): Promise<void> {
  const update = "update homework.outcome_tasks set";
  for (const [number, title] of Object.entries(titles))
    await admin.query(`${update} title = $3 where outcome_id = $1 and number = $2`, [outcomeId, number, title]);
  await admin.query(`${update} status = 'running', attempts = 1, run_id = $2 where outcome_id = $1 and number = 5`, [
    outcomeId,
    runId,
  ]);
  await admin.query(
    `insert into homework.outcome_task_attempts (task_id, attempt, run_id, state)
     select id, 1, $2, 'running' from homework.outcome_tasks where outcome_id = $1 and number = 5`,
    [outcomeId, runId],
  );
  await admin.query(
    `insert into homework.outcome_task_dependencies (outcome_id, task_id, depends_on)
     select $1, t.id, d.id from homework.outcome_tasks t, homework.outcome_tasks d
      where t.outcome_id = $1 and d.outcome_id = $1 and (t.number, d.number) in ((4, 2), (4, 3), (5, 1), (6, 5))`,
    [outcomeId],
  );
  await admin.query(
    `update homework.homr_memories set content = case when ctid = (select min(ctid) from homework.homr_memories where outcome_id = $1)
       then 'Payment gateways throttle at night: test payments during the day'
       else 'Pictures of brass need soft light, or every lamp looks like gold' end,
       times_used = 4, times_helped = 3, is_tainted = false where outcome_id = $1`,
    [outcomeId],
  );
  await admin.query("update homework.outcomes set status = 'active' where id = $1", [outcomeId]);
}

const rooms = ["the entrance hall", "the map room", "the east wing", "the workshop", "the archive"];
const steps = ["List everything in", "Photograph", "Pack", "Carry over", "Unpack and check", "Tidy up after"];

/** Room by room, one step after the other; each room's packing waits for the pictures of the one before. */
function fiftyTasks() {
  const tasks = rooms.flatMap((room, row) =>
    steps.map((step, at) => ({
      title: `${step} ${room}`,
      depends_on: [
        ...(at > 0 ? [row * steps.length + at] : []),
        ...(at === 2 && row > 0 ? [(row - 1) * steps.length + 2] : []),
      ],
    })),
  );
  const rest = Array.from({ length: 50 - tasks.length }, (_, at) => ({
    title: `Write to lender ${at + 1} about the new address`,
    depends_on: at < 14 ? [at + 3, at + 13] : [],
  }));
  return [...tasks, ...rest];
}
