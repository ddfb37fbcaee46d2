// Trial of 0.4.0, B, over several iterations: the answer to a question is one document however often it is given, and a user who
// changes their mind is followed each time.

import { afterEach, expect, test } from "vitest";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { planCheck } from "../../src/domain/run/checks/adopt.ts";
import { respond, steer } from "../../src/domain/run/commands.ts";
import type { Run } from "../../src/domain/run/run.ts";
import { setEntityBinned } from "../../src/store/entity/entity-store.ts";
import { makeCheck } from "../helpers/make-run.ts";
import { call, hallWords, inProject, pageCheck, step } from "../helpers/planner-scenario.ts";
import { plannerWorld } from "../helpers/planner-world.ts";
import { doneStatus, praise, type SlowScript, working } from "../helpers/role-script.ts";

const world = await plannerWorld();
const workers: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close();
});

/** `before`: what happens before the planner's first answer of an iteration. */
async function play(
  script: SlowScript,
  before: (run: Run, iteration: number) => Promise<void> = async () => {},
  over: Partial<Run> = {},
) {
  const user = await world.makeUser();
  const project = await world.makeProject(user);
  let run: Run | null = null;
  world.script(async (asked) => {
    if (asked.role === "judge") return praise(asked.prompt);
    if (asked.role !== "planner") return "It was asked for something small. ".repeat(5);
    if (asked.turn === 0 && run !== null) await before(run, asked.iteration);
    return script(asked);
  });
  run = await world.create(user, {
    objective: "Why is the sky blue?",
    checks: [planCheck],
    deliverables: [],
    isJudged: true,
    ...over,
  });
  workers.push(world.work(world.engine, { prover: world.prover }));
  return { run: await world.until(run.id, "completed", "stopped", "failed", "waiting_on_user"), user, project };
}

async function documentsOf({ id }: Run) {
  const { rows } = await world.admin.query(
    `select id, project_id, title, content, deleted_at is not null as is_binned from homework.onto_documents
      where created_by_run = $1 and type_key not like 'document.homework.%' order by created_at`,
    [id],
  );
  return rows;
}

const first = "# The sky\n\nShort waves are scattered more.";
const second = "# Blue\n\nAir scatters short waves of light more than long ones, and blue is short.";
const answeringTwice: SlowScript = ({ iteration }) => ({
  status:
    iteration === 1 ? { ...working("a first answer", ["say why"]), answer: first } : { ...doneStatus, answer: second },
});

test("an answer that is given again takes the place of the first, and the run is completed", async () => {
  const { run } = await play(answeringTwice);
  expect(run.state).toMatchObject({ status: "completed", iteration: 2 });
  const [document, ...others] = await documentsOf(run);
  expect(others).toEqual([]);
  expect(document?.title).toBe("The sky");
  expect(document?.content).toContain("Air scatters short waves");
  expect(document?.content).not.toContain("Short waves are scattered more.");
});

test("otherwise: where the user has put the first into the bin, the second is a document of its own", async () => {
  const { run } = await play(answeringTwice, async (begun, iteration) => {
    if (iteration !== 2) return;
    const [document] = await documentsOf(begun);
    await world.as(begun.userId, (tx) => setEntityBinned(tx, "document", document.project_id, document.id, true));
  });
  expect((await documentsOf(run)).map(({ is_binned: isBinned }) => isBinned)).toEqual([true, false]);
  expect(run.state.status).toBe("completed");
});

const wishes = [100, 90, 80, 70, 60].map((words) => `Make it at least ${words} words please`);

test("five changes of mind are followed, told and recorded, one after the other", async () => {
  const script: SlowScript = ({ prompt, iteration }) => {
    const isLast = iteration === wishes.length + 1;
    const check = { ...pageCheck, words_at_least: iteration === 1 ? 200 : 120 - 10 * iteration };
    const why = iteration === 1 ? "" : `The user: "${wishes[iteration - 2]}"`;
    const content = `# Goal\n\n${hallWords}`;
    const write = call("create_document", { title: "The hall", content, ...inProject(prompt) });
    return {
      toolCalls: [
        ...(isLast ? [{ name: write.tool, args: write.args }] : []),
        { name: "propose_checks", args: { deliverables: [{ id: "d1", title: "A page" }], checks: [check], why } },
        { name: "update_plan", args: { steps: [step("s1", isLast ? "done" : "in_progress")] } },
        { name: "end_iteration", args: isLast ? doneStatus : working() },
      ],
    };
  };
  const { run } = await play(script, async (begun, iteration) => {
    // Heard at the next model call, which is the next iteration's: each session has one.
    const wish = wishes[iteration - 1];
    if (wish !== undefined) await world.command(begun, (now) => steer(now, wish));
  });
  expect(run.state).toMatchObject({ status: "completed", iteration: 6 });
  expect(run.checks.find(({ id }) => id === "c1")?.target).toMatchObject({ wordsAtLeast: 60 });
  const told = (await world.events(run.id)).filter(({ type }) => type === "checks_changed");
  expect(told).toHaveLength(wishes.length);
});

const users = makeCheck({ id: "user_1", deliverableId: null });

/** Says that it is done with a page that is too short, and wants the user's criterion lowered to it. */
const lowering: SlowScript = ({ prompt, iteration, turn }) => {
  const check = { ...pageCheck, id: "user_1", words_at_least: 40 };
  const write = call("create_document", { title: "The hall", content: `# Goal\n\n${hallWords}`, ...inProject(prompt) });
  const promise = { deliverables: [{ id: "d1", title: "A page" }], checks: [pageCheck] };
  const isFirst = iteration === 1;
  const why = 'The user: "I need it for Monday morning"';
  const end = { name: "end_iteration", args: isFirst ? working() : doneStatus };
  // It says so again where it is told that the check does not pass.
  if (turn > 0) return { toolCalls: [end] };
  return {
    toolCalls: [
      ...(iteration === 2 ? [{ name: write.tool, args: write.args }] : []),
      { name: "propose_checks", args: isFirst ? promise : { checks: [check], why } },
      { name: "update_plan", args: { steps: [step("s1", isFirst ? "in_progress" : "done")] } },
      end,
    ],
  };
};

test.each([
  ["approve", "completed", 40],
  ["reject", "stopped", 300],
] as const)(
  "a criterion of the user's is lowered by the user alone: after %j the run is %s with %i words",
  async (text, status, atLeast) => {
    const budget = { ...defaultBudget, maxIterations: 3 };
    const say = async (run: Run, iteration: number) => {
      if (iteration === 1) await world.command(run, (now) => steer(now, "I need it for Monday morning"));
    };
    const { run } = await play(lowering, say, { checks: [planCheck, users], budget });
    const { state } = run;
    expect(state).toMatchObject({ status: "waiting_on_user", questions: [{ kind: "approve_checks" }] });
    expect(run.checks.find(({ id }) => id === "user_1")).toEqual(users);
    await world.command(run, (now) => respond(now, [{ questionId: "approve-checks", text }]));
    const ended = await world.until(run.id, "completed", "stopped", "failed");
    expect([ended.state.status, ended.checks.find(({ id }) => id === "user_1")?.target]).toMatchObject([
      status,
      { wordsAtLeast: atLeast },
    ]);
    // The same change is not asked for again after a no, and an approved one is told in the report.
    expect((await world.events(run.id)).filter(({ type }) => type === "run_waiting_on_user")).toHaveLength(1);
    const { rows } = await world.admin.query("select report from homework.homework_runs where id = $1", [run.id]);
    expect(rows[0].report.check_changes).toEqual(
      status === "completed"
        ? [
            {
              changes: [expect.stringMatching(/^Changed: .*300 words.* → .*40 words/)],
              why: expect.any(String),
              is_approved: true,
            },
          ]
        : [],
    );
  },
);
