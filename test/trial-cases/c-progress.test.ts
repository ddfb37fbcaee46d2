// Trial of 0.4.0, C (progress and breakers), as whole runs, and beside each case its neighbour that comes out otherwise. What the
// rules alone decide is tested in src/domain/run: conclude, progress, streaks, holds.

import { afterEach, expect, test } from "vitest";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { planCheck } from "../../src/domain/run/checks/adopt.ts";
import { steer } from "../../src/domain/run/commands.ts";
import type { Run } from "../../src/domain/run/run.ts";
import { updateEntity } from "../../src/store/entity/entity-store.ts";
import { call, inProject, step, task } from "../helpers/planner-scenario.ts";
import { plannerWorld } from "../helpers/planner-world.ts";
import { type SlowScript, working } from "../helpers/role-script.ts";

const world = await plannerWorld();
const workers: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close();
});

const base = "The hall is free on Saturdays.";

/** A run of at most six iterations in a project with three pages. */
async function play(
  script: (pages: readonly string[]) => SlowScript,
  before: (run: Run, iteration: number) => Promise<void> = async () => {},
) {
  const user = await world.makeUser();
  const project = await world.makeProject(user);
  const pages: string[] = [];
  for (const title of ["One", "Two", "Three"]) {
    const id = await world.makeEntity(user, project, "document", title);
    await world.as(user, (tx) =>
      updateEntity(tx, "document", { id, projectId: project, version: 1 }, { content: base }),
    );
    pages.push(id);
  }
  let run: Run | null = null;
  const answer = script(pages);
  world.script(async (asked) => {
    if (asked.role !== "planner") return asked.role === "executor" ? answer(asked) : "It came to nothing. ".repeat(6);
    if (asked.turn === 0 && run !== null) await before(run, asked.iteration);
    return answer(asked);
  });
  const budget = { ...defaultBudget, maxIterations: 8 };
  run = await world.create(user, { objective: "Improve the pages", checks: [planCheck], deliverables: [], budget });
  workers.push(world.work(world.engine, { prover: world.prover }));
  return world.until(run.id, "completed", "stopped", "failed");
}

const writing =
  (more: (iteration: number) => string) =>
  (pages: readonly string[]): SlowScript =>
  ({ iteration }) => ({
    tool_calls: [call("update_document", { id: pages[iteration % 3] ?? "", content: `${base}${more(iteration)}` })],
    status: working("wrote"),
  });

test.each([
  ["blanks", (n: number) => " ".repeat(n)],
  ["blanks of other scripts", (n: number) => "\u2003\u3000".repeat(n)],
  ["characters without a shape", (n: number) => "\u200b".repeat(n)],
  ["comments", (n: number) => `<!-- ${n} -->`],
  ["entities and line breaks", (n: number) => "&nbsp;<br/>".repeat(n)],
])("C: %s put into three pages in turn are no progress", async (_what, more) => {
  const run = await play(writing(more));
  expect(run.state).toMatchObject({ status: "stopped", reason: "no_progress" });
});

test("C, otherwise: a sentence for one of three pages in turn is", async () => {
  const run = await play(writing((n) => ` It was opened in ${1900 + n}.`));
  expect(run.state).toMatchObject({ status: "stopped", reason: "max_iterations" });
});

test("C: a page that is changed there and back is no progress after the first time", async () => {
  const run = await play((pages) => ({ iteration }) => ({
    tool_calls: [
      call("update_document", { id: pages[0] ?? "", content: `${base}${iteration % 2 === 0 ? "" : " Not."}` }),
    ],
  }));
  expect(run.state.status).toBe("stopped");
  expect(run.state).not.toMatchObject({ reason: "max_iterations" });
});

// "Write the next chapter" for ever another step.
const chapters =
  (content: (iteration: number) => string): (() => SlowScript) =>
  () =>
  ({ role, iteration, turn, prompt }) => {
    if (role === "executor")
      return turn === 0
        ? {
            toolCalls: [
              { name: "create_task", args: { title: /Chapter \d/.exec(prompt)?.[0] ?? "", ...inProject(prompt) } },
            ],
          }
        : "It is written.";
    return {
      plan: { steps: [step(`s${iteration}`, "in_progress")] },
      executor_tasks: [{ ...task("Write the next chapter", `s${iteration}`), instructions: content(iteration) }],
    };
  };

test("C: a chapter in every iteration is work, though each is told to write the next one", async () => {
  const run = await play(chapters((n) => `Write the next chapter. Chapter ${n}`));
  expect(run.state).toMatchObject({ status: "stopped", reason: "max_iterations" });
});

test("C, otherwise: an executor that is sent out for the same and makes nothing is not", async () => {
  const run = await play(
    () =>
      ({ role }) =>
        role === "executor" ? "I thought about it." : { executor_tasks: [task("Write the next chapter", "s1")] },
  );
  expect(run.state).toMatchObject({ status: "stopped", reason: "same_action" });
});

const idle = (): SlowScript => () => ({ tool_calls: [call("list_projects", {})] });

test("C: a message after the iteration to recover buys more than one iteration", async () => {
  const run = await play(idle, async (begun, iteration) => {
    if (iteration === 4) await world.command(begun, (now) => steer(now, "Try the town hall"));
  });
  // Three without progress, one to recover, in which the message is said; then a whole new row.
  expect(run.state).toMatchObject({ status: "stopped", iteration: 8 });
});

test("C, otherwise: without a message the iteration to recover is the last", async () => {
  expect((await play(idle)).state).toMatchObject({ status: "stopped", reason: "no_progress", iteration: 4 });
});

const tooLong = "This model's maximum context length is 8192 tokens. However, your messages resulted in 12000 tokens.";

test("C: what the provider said stands in the stop and in each iteration, word for word", async () => {
  const run = await play(() => () => ({
    status: 400,
    body: { error: { message: tooLong, code: "context_length_exceeded" } },
  }));
  expect(run.state).toMatchObject({
    status: "stopped",
    reason: "same_error",
    detail: expect.stringContaining(tooLong),
  });
  const { rows } = await world.admin.query(
    "select error, error_fingerprint from homework.homework_run_iterations where run_id = $1",
    [run.id],
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { error, error_fingerprint: fingerprint } of rows) {
    expect(error).toContain(tooLong);
    expect(fingerprint).not.toBe(error);
  }
});
