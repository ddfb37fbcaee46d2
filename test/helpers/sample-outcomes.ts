// Outcomes for the sample world: one in the middle of its work, with tasks in every state and all that HOMЯ leaves behind, one that is
// not started, and one with as many tasks as a picture of their dependencies has to stay readable with.

import pg from "pg";
import { routes } from "../../src/protocol/api.ts";
import { embeddedDatabase } from "../chaos/chaos-database.ts";
import { insertOutcome } from "./outcome-rows.ts";
import { insertRun } from "./run-rows.ts";
import { tellOfLamps, tellOfMuseum } from "./sample-story.ts";
import type { Person } from "./web-session.ts";

export type SampleOutcomes = {
  readonly outcomeId: string;
  /** Its completed task, with two attempts. */
  readonly outcomeTaskId: string;
  /** Fifty tasks, not started. */
  readonly longOutcomeId: string;
  /** Fifty tasks, some of them done. */
  readonly graphOutcomeId: string;
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
    const failed = [];
    for (let attempt = 1; attempt <= 3; attempt++) failed.push(await insertRun(admin, user.id, "canceled"));
    await tellOfLamps(admin, outcomeId, { running: await insertRun(admin, user.id), failed });
    const make = (name: string) =>
      api(routes.outcomes.create, {
        body: { name, brief: "Everything goes to Harbour Street.", tasks: fiftyTasks() },
      });
    const { id: graphOutcomeId } = await make("Move the museum");
    await tellOfMuseum(admin, graphOutcomeId);
    const { id: longOutcomeId } = await make("Move the library");
    return { outcomeId, outcomeTaskId: tasks[0], longOutcomeId, graphOutcomeId };
  } finally {
    await admin.end();
  }
}

const moreTasks = [
  { title: "Write the page about brass lamps", description: "With a picture of each.", priority: 50 },
  { title: "Translate all pages into French", description: "" },
  { title: "Check every price against the price list", description: "" },
];

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
