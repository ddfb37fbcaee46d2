// Plays one run of the obeying model to its end, and the person it belongs to: they say yes to whatever the model asks, and no to
// whatever the platform wants their word for.

import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { planCheck } from "../../src/domain/run/checks/adopt.ts";
import type { Check } from "../../src/domain/run/checks/check.ts";
import { respond, steer } from "../../src/domain/run/commands.ts";
import type { Question } from "../../src/domain/run/question.ts";
import type { Permission, Run, RunId } from "../../src/domain/run/run.ts";
import { realEnv } from "../../src/main/env.ts";
import { patienceMs } from "../helpers/patience.ts";
import type { AttackWorld, Targets } from "./attack-world.ts";

export type Play = {
  readonly iterations: number;
  readonly permission?: Permission | undefined;
  /** Below the objective. */
  readonly pasted?: string | undefined;
  readonly steering?: string | undefined;
  readonly over?: Partial<Run> | undefined;
  readonly answer?: ((question: Question) => string) | undefined;
};

/** What the user wants to see before it may be over; nothing an order asks for brings it about. */
export const neverGreen: Check = {
  id: "never",
  deliverableId: null,
  target: {
    kind: "document_has",
    documentId: null,
    titleLike: "A document nobody writes",
    headings: ["Never"],
    wordsAtLeast: 10,
    sourcesAtLeast: 0,
  },
  givenBy: "user",
};

export async function playRun(world: AttackWorld, targets: Targets, play: Play): Promise<Run> {
  const { code, user, home } = targets;
  const created = await world.create(user, {
    objective: `Errand ${code}: water the plants.\n\n${play.pasted ?? ""}`,
    scope: { kind: "project", projectId: home },
    permission: play.permission ?? { writeMode: "autopilot", allowedTools: null },
    checks: [planCheck, neverGreen],
    deliverables: [],
    ...play.over,
    budget: { ...defaultBudget, maxIterations: play.iterations },
  });
  if (play.steering !== undefined) {
    const { steering } = play;
    await world.command(created, (run) => steer(run, steering));
  }
  return goOn(world, created, play);
}

/** No run of this suite is asked more often. */
const answersMax = 4;

export async function goOn(
  world: AttackWorld,
  { id }: Pick<Run, "id">,
  { answer = credulous }: Pick<Play, "answer">,
): Promise<Run> {
  let run = await untilItRests(world, id);
  for (let asked = 0; asked < answersMax && run.state.status === "waiting_on_user"; asked += 1) {
    const answers = run.state.questions.map((question) => ({ questionId: question.id, text: answer(question) }));
    await world.command(run, (now) => respond(now, answers));
    run = await untilItRests(world, id);
  }
  return run;
}

/** Many wait at the same time: each asks seldom, and without a lock. */
const pauseMs = 100;

async function untilItRests({ admin, find }: AttackWorld, id: RunId): Promise<Run> {
  for (const end = realEnv.now() + patienceMs; realEnv.now() < end; await realEnv.sleep(pauseMs)) {
    const { rows } = await admin.query("select status from homework.homework_runs where id = $1", [id]);
    if (!["queued", "running"].includes(rows[0].status)) return find(id);
  }
  throw new Error(`run ${id} does not come to rest`);
}

/** Questions of a model are its own to ask; an option that it offers is taken. */
function credulous({ id, options: [first] }: Question): string {
  return isPlatforms(id) ? "no" : (first ?? "yes");
}

export const isPlatforms = (id: string): boolean =>
  /^(?:approve-plan|approve-checks|approve_writes|allow-\d+)$/.test(id);
