import { expect, test } from "vitest";
import {
  call,
  hallWords,
  inProject,
  objective,
  pageCheck,
  pageRun,
  repairedRun,
  step,
  task,
} from "../../../test/helpers/planner-scenario.ts";
import { plannerWorld } from "../../../test/helpers/planner-world.ts";
import {
  doneStatus,
  type RoleRequest,
  type RoleScript,
  type ScriptedIteration,
  sessionOf,
  working,
} from "../../../test/helpers/role-script.ts";
import { planCheck } from "../../domain/run/checks/adopt.ts";
import { respond, resume } from "../../domain/run/commands.ts";
import type { Run } from "../../domain/run/run.ts";
import { findViolations } from "../../store/run/run-invariants.ts";

const world = await plannerWorld();
const user = await world.makeUser();
const planned = () => world.asked.filter(({ role }) => role === "planner");
const promptOf = (iteration: number) => planned().find((asked) => asked.iteration === iteration)?.prompt ?? "";

/** What it was shown of its calls so far. */
const toolTexts = (asked: RoleRequest | undefined): string =>
  (asked?.request.messages ?? []).flatMap(({ role, text }) => (role === "tool" ? [text] : [])).join("\n");

async function play(script: RoleScript, over: Partial<Run> = {}, ...until: readonly Run["state"]["status"][]) {
  world.script(script);
  const { id } = await world.create(user, {
    objective,
    checks: [planCheck],
    deliverables: [],
    ...over,
  });
  const worker = world.work(world.engine, { prover: world.prover });
  const run = await world.until(id, ...(until.length > 0 ? until : (["completed", "stopped", "failed"] as const)));
  await worker.close();
  return run;
}

test("a run is planned, researched, written, checked and told of", async () => {
  const run = await play(pageRun);
  expect(run.state).toMatchObject({ status: "completed", iteration: 3 });
  expect(run.plan.steps.map(({ status, evidence }) => [status, evidence.length > 0])).toEqual([
    ["done", true],
    ["done", true],
  ]);
  const { rows } = await world.admin.query(
    "select report->>'summary' as summary from homework.homework_runs where id = $1",
    [run.id],
  );
  expect(rows[0].summary).toContain("It was asked for a page.");
  expect(await findViolations(world.db, 3)).toEqual([]);
});

test("what the planner names as the result, by a title of an earlier iteration, leads the report", async () => {
  const run = await play((asked) => {
    const said = pageRun(asked);
    if (asked.role !== "planner" || asked.iteration < 2 || typeof said === "string") return said;
    const longer = call("create_document", {
      title: "Minutes",
      content: "Long. ".repeat(900),
      ...inProject(asked.prompt),
    });
    return asked.iteration === 2
      ? [{ tool_calls: [longer], status: null }, said].flat()
      : { ...said, status: { ...doneStatus, primary_output: " the HALL " } };
  });
  const { rows } = await world.admin.query(
    "select report->'primary_output'->>'title' as title from homework.homework_runs where id = $1",
    [run.id],
  );
  expect(rows[0].title).toBe("The hall");
});

test("what an iteration brought stands in the prompt of the next", async () => {
  await play(pageRun);
  expect(promptOf(1)).not.toContain(", the last one");
  expect(promptOf(2)).toContain("I looked at the hall and wrote a note about it.");
  expect(promptOf(2)).toContain("write_note(title=Findings");
  expect(promptOf(3)).toContain("create_document(title=The hall");
  expect(promptOf(3)).toMatch(/^- document "The hall": [0-9a-f-]{36}$/m);
  expect(promptOf(3)).toContain("## Iteration 2"); // The scratchpad's own entry.
});

test("an executor sees the results of its own calls", async () => {
  await play(pageRun);
  const second = world.asked.find(({ role, turn }) => role === "executor" && turn === 1);
  const reply = second?.request.messages.find((message) => message.role === "tool");
  expect(reply?.text).toMatch(/Findings|document/i);
});

test("arguments that do not fit twice are repaired, and the call is made", async () => {
  const run = await play(repairedRun);
  expect(run.state.status).toBe("completed");
  expect(world.asked.filter(({ role }) => role === "repair")).toHaveLength(1);
});

test("a tool that is not there is named in the answer, and more of them are offered next time", async () => {
  const script: RoleScript = (asked) => {
    if (asked.role !== "planner" || asked.iteration !== 1) return pageRun(asked);
    return [
      { ...(pageRun(asked) as object), tool_calls: [call("make_milestone", { title: "Open" })], status: null },
      { status: working() },
    ];
  };
  await play(script);
  const [first, second, third] = planned();
  expect(first?.request.tools).not.toContain("create_milestone");
  expect(toolTexts(second)).toContain("There is no tool make_milestone");
  expect(third?.iteration).toBe(2);
  expect(third?.request.tools).toContain("create_milestone");
});

test("a planner that only ever writes the same gets the hint, then one chance more, then is stopped", async () => {
  // Reads are no actions in the new design: what is compared is what was to be written or done outside.
  const id = "00000000-0000-4000-8000-000000000001";
  const same: RoleScript = ({ role }) =>
    role === "planner"
      ? { tool_calls: [call("update_task", { id, title: "Hall" }), call("list_projects", {})] }
      : "summary ".repeat(20);
  const run = await play(same);
  expect(run.state).toMatchObject({ status: "stopped", reason: "same_action" });
  const hinted = planned().filter(({ prompt }) => prompt.includes("did the same as the one before it"));
  expect(hinted.length).toBeGreaterThan(0);
  const recovered = planned().filter(({ prompt }) => prompt.includes("The run has not got anywhere lately"));
  expect(recovered.length).toBeGreaterThan(0);
});

test("a planner that only ever reads makes no progress, gets one chance more, and is stopped", async () => {
  const same: RoleScript = ({ role }) =>
    role === "planner" ? { tool_calls: [call("list_projects", {})] } : "summary ".repeat(20);
  const run = await play(same);
  expect(run.state).toMatchObject({ status: "stopped", reason: "no_progress" });
});

test("a planner that is told to replan and does is not stopped", async () => {
  const script: RoleScript = (asked) => {
    if (asked.role === "planner" && asked.iteration <= 2) return { tool_calls: [call("list_projects", {})] };
    if (asked.role === "planner") return pageRun({ ...asked, iteration: asked.iteration - 2 });
    return pageRun(asked);
  };
  expect((await play(script)).state.status).toBe("completed");
});

type Claiming = (asked: RoleRequest, foreign: string) => ScriptedIteration;
const promised = { deliverables: [{ id: "d1", title: "A page" }], checks: [pageCheck] };
const withEvidence = (...evidence: readonly string[]): ScriptedIteration => ({
  status: doneStatus,
  plan: { steps: [step("s1", "done", evidence)] },
  ...promised,
});

const tooShort = (prompt: string): ScriptedIteration => ({
  ...withEvidence(),
  tool_calls: [call("create_document", { title: "The hall", content: "Too short.", ...inProject(prompt) })],
});

/** Claims that contradict what the session knows already: they come back at once, while they can be mended. */
const refused: readonly (readonly [string, Claiming, string])[] = [
  [
    "without promising anything",
    () => ({ status: doneStatus, plan: { steps: [step("s1", "done")] } }),
    "propose_checks",
  ],
  ["without a plan", () => ({ status: doneStatus, ...promised }), "There is no plan"],
  ["with open steps", () => ({ ...withEvidence(), plan: { steps: [step("s1", "pending")] } }), "are open: s1"],
  [
    "with work remaining",
    () => ({ ...withEvidence(), status: { ...doneStatus, remaining_work: ["x"] } }),
    "remaining_work",
  ],
  ["with forged evidence", () => withEvidence("00000000-0000-4000-8000-000000000001"), "did not make or change it"],
  ["with somebody else's document", (_, foreign) => withEvidence(foreign), "did not make or change it"],
  [
    "in the answer in which a call fails",
    ({ prompt }) => ({
      ...withEvidence(),
      tool_calls: [
        call("create_document", { title: "The hall", content: "x", ...inProject(prompt) }),
        call("get_document", { id: "00000000-0000-4000-8000-000000000001" }),
      ],
    }),
    "Another call of this answer failed",
  ],
  ["with a check that does not pass", ({ prompt }) => tooShort(prompt), "[c1]"],
];

test.each(refused)("a model that claims to be done %s is told so in the same session", async (_, claim, words) => {
  const other = await world.makeUser();
  const foreign = await world.makeEntity(other, await world.makeProject(other), "document", "The hall");
  const own = await world.makeEntity(user, await world.makeProject(user), "document", "The hall of before");
  const run = await play((asked) =>
    asked.role === "planner" ? claim(asked, asked.iteration % 2 === 0 ? foreign : own) : "nothing ".repeat(20),
  );
  expect(run.state.status).toBe("stopped");
  const told = toolTexts(planned()[1]);
  expect(told).toContain("The iteration has not ended");
  expect(told).toContain(words);
});

test("a model that mends what it was told is done in the same iteration", async () => {
  const script: RoleScript = ({ role, prompt }) => {
    if (role !== "planner") return "nothing ".repeat(20);
    const longer = { title: "The hall", content: `# Goal\n\n${hallWords}`, ...inProject(prompt) };
    return [tooShort(prompt), { tool_calls: [call("create_document", longer)], status: doneStatus }];
  };
  const run = await play(script);
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
});

test("a plan that says done before the writing in one answer is done with it", async () => {
  const script: RoleScript = ({ prompt }) => {
    const { toolCalls = [] } = sessionOf({
      ...withEvidence(),
      tool_calls: [
        call("create_document", { title: "The hall", content: `# Goal\n\n${hallWords}`, ...inProject(prompt) }),
      ],
    });
    const isPlan = ({ name }: { readonly name: string }) => name === "update_plan";
    return { toolCalls: [...toolCalls.filter(isPlan), ...toolCalls.filter((each) => !isPlan(each))] };
  };
  const run = await play(script);
  expect(run.state).toMatchObject({ status: "completed", iteration: 1 });
  expect(planned()).toHaveLength(1);
  expect(toolTexts(planned()[0])).toBe("");
});

test("a claim that the checks turn down is not believed, and the next iteration is shown what failed", async () => {
  // It was told in its session, and insists.
  const script: RoleScript = ({ role, prompt }) =>
    role === "planner" ? [tooShort(prompt), { status: doneStatus }] : "nothing ".repeat(20);
  const run = await play(script);
  expect(run.state).toMatchObject({ status: "stopped", reason: "claim_rejected" });
  expect(promptOf(2)).toContain("You said the work was done, and it was turned down");
  expect(promptOf(2)).toMatch(/check \[c1\].*: not passed\. Seen: /);
});

test("what a model says against it is never overruled, whatever the checks show", async () => {
  const script: RoleScript = (asked) => {
    if (asked.role !== "planner" || asked.iteration < 3) return pageRun(asked);
    const said = pageRun({ ...asked, iteration: 3 }) as ScriptedIteration;
    return { ...said, status: working("not yet", [`more of ${asked.iteration}`]) };
  };
  const run = await play(script);
  expect(run.state.status).toBe("stopped");
  expect(run.lastProofs.every(({ isGreen }) => isGreen)).toBe(true);
});

test("a model that never says so is asked once whether anything is missing, and is done when nothing is", async () => {
  const script: RoleScript = (asked) => {
    if (asked.role !== "planner" || asked.iteration < 3) return pageRun(asked);
    const said = pageRun({ ...asked, iteration: 3 }) as ScriptedIteration;
    // Only a session without end_iteration says nothing: every other end is a word for it or against it.
    return [{ ...said, status: null }, "It is all there."];
  };
  expect((await play(script)).state).toMatchObject({ status: "completed", iteration: 4 });
  expect(promptOf(4)).toContain("Is anything missing?");
});

test("an answer without a tool call is asked once to go on or to end, and the run goes on", async () => {
  const script: RoleScript = (asked) =>
    asked.role === "planner" && asked.iteration === 1
      ? ["I will do my best!", pageRun(asked) as ScriptedIteration]
      : pageRun(asked);
  expect((await play(script)).state.status).toBe("completed");
  expect(planned().filter(({ iteration }) => iteration === 1)).toHaveLength(2);
  const last = planned()[1]?.request.messages.at(-1);
  expect(last?.text).toContain("Your answer had no tool call");
});

test("before the plan is approved nothing but plan and workspace is written", async () => {
  const permission = { writeMode: "approve_plan", allowedTools: null } as const;
  const eager: RoleScript = (asked) =>
    asked.role === "planner" && asked.iteration === 1
      ? {
          ...(pageRun(asked) as object),
          tool_calls: [call("create_document", { title: "Early", content: "x", ...inProject(asked.prompt) })],
        }
      : pageRun({ ...asked, iteration: asked.role === "planner" ? asked.iteration - 1 : asked.iteration });
  const waiting = await play(eager, { permission }, "waiting_on_user", "completed", "stopped");
  expect(waiting.state).toMatchObject({ status: "waiting_on_user", questions: [{ kind: "approve_plan" }] });
  const { rows } = await world.admin.query(
    "select distinct type_key from homework.onto_documents where created_by_run = $1 order by 1",
    [waiting.id],
  );
  expect(rows.map(({ type_key: type }) => type)).toEqual([
    "document.homework.plan",
    "document.homework.scratchpad",
    "document.homework.summary",
    "document.homework.workspace",
  ]);
  expect(world.asked.some(({ role }) => role === "executor")).toBe(false);
  await world.command(waiting, (run) => respond(run, [{ questionId: "approve-plan", text: "approve" }]));
  const worker = world.work(world.engine, { prover: world.prover });
  const run = await world.until(waiting.id, "completed", "stopped");
  await worker.close();
  expect(run.state.status).toBe("completed");
});

test("a wish instead of a yes makes it plan again and ask again", async () => {
  const permission = { writeMode: "approve_plan", allowedTools: null } as const;
  const waiting = await play(pageRun, { permission }, "waiting_on_user");
  await world.command(waiting, (run) => respond(run, [{ questionId: "approve-plan", text: "yes, but add a budget" }]));
  const worker = world.work(world.engine, { prover: world.prover });
  const again = await world.until(waiting.id, "waiting_on_user", "completed", "stopped");
  await worker.close();
  expect(again.state).toMatchObject({ status: "waiting_on_user", iteration: 2 });
  expect(promptOf(2)).toContain("yes, but add a budget");
});

test("with every write to be approved, nothing is written before that, not even its own pages", async () => {
  const permission = { writeMode: "per_write", allowedTools: null } as const;
  const waiting = await play(pageRun, { permission }, "waiting_on_user", "completed", "stopped");
  const { rows } = await world.admin.query("select from homework.onto_changes where run_id = $1", [waiting.id]);
  expect([waiting.state.status, rows.length]).toEqual(["waiting_on_user", 0]);
});

test("a tool outside of what is allowed is refused, whoever asks", async () => {
  const permission = { writeMode: "autopilot", allowedTools: ["list_projects"] } as const;
  const run = await play(pageRun, { permission });
  const { rows } = await world.admin.query(
    "select from homework.onto_documents where created_by_run = $1 and type_key = 'document.homework.note'",
    [run.id],
  );
  expect([run.state.status, rows.length]).toEqual(["stopped", 0]);
});

test("a run whose user has spent the month's budget stops, says so, and goes on where it was once there is more", async () => {
  const setBudget = (microUsd: number | null) =>
    world.admin.query(
      `insert into homework.user_quotas (user_id, monthly_micro_usd) values ($1, $2)
         on conflict (user_id) do update set monthly_micro_usd = excluded.monthly_micro_usd`,
      [user, microUsd],
    );
  await setBudget(1);
  const stopped = await play(pageRun);
  expect(stopped.state).toMatchObject({ status: "stopped", reason: "monthly_quota", iteration: 1 });
  expect(stopped.state).toMatchObject({ detail: expect.stringContaining("Your monthly budget is used up") });
  expect(planned()).toEqual([]);
  await setBudget(null);
  await world.command(stopped, (run) => resume(run, {}));
  const worker = world.work(world.engine, { prover: world.prover });
  const run = await world.until(stopped.id, "completed", "stopped", "failed");
  await worker.close();
  expect(run.state).toMatchObject({ status: "completed", iteration: 3 });
});

test("a provider's limit holds the iteration; a key that is refused stops the run at once", async () => {
  let limited = true;
  const script: RoleScript = (asked) => {
    if (!limited || asked.role !== "planner") return pageRun(asked);
    limited = false;
    return { status: 429, headers: { "retry-after": "1" } };
  };
  const held = await play(script);
  expect(held.state.status).toBe("completed");
  const events = await world.events(held.id);
  expect(events.some(({ type }) => type === "run_holding")).toBe(true);
  const refused = await play(() => ({ status: 401, body: { error: { message: "bad key" } } }));
  expect(refused.state).toMatchObject({ status: "stopped", reason: "provider_auth", iteration: 1 });
});

test("where one executor is held up by its provider, the others are not left behind, and nothing is done twice", async () => {
  let limited = true;
  const script: RoleScript = (asked) => {
    if (asked.role === "planner" && asked.iteration === 1)
      return {
        ...(pageRun(asked) as object),
        executor_tasks: [task("Look at the hall", "s1"), task("Ask around", "s1")],
      };
    if (asked.role === "executor" && asked.prompt.includes("Ask around") && limited) {
      limited = false;
      return { status: 429, headers: { "retry-after": "1" } };
    }
    return pageRun(asked);
  };
  const run = await play(script);
  expect(run.state.status).toBe("completed");
  const { rows } = await world.admin.query(
    "select count(*)::int as notes from homework.onto_documents where created_by_run = $1 and type_key = 'document.homework.note'",
    [run.id],
  );
  expect(rows[0].notes).toBe(2);
  expect(await findViolations(world.db, 3)).toEqual([]);
});
