// What the engine costs beside a bare tool loop: the same scripted model, the same tools and the same four objectives, once as a run
// with its plan, checks, judge and report, once as a plain loop of the AI SDK. Counted by the lab, in the same minute.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { sql } from "kysely";
import type { Database, Tx } from "../src/db/database.ts";
import type { UserId } from "../src/domain/identity/identity.ts";
import { planCheck } from "../src/domain/run/adopt.ts";
import { defaultBreakers } from "../src/domain/run/breakers.ts";
import type { RunId } from "../src/domain/run/run.ts";
import { judge } from "../src/engine/judge.ts";
import { plannerEngine } from "../src/engine/planner/planner-engine.ts";
import { storeProver } from "../src/engine/prove.ts";
import { type LoopDeps, runIterationJob } from "../src/loop/run-iteration-job.ts";
import { realEnv } from "../src/main/env.ts";
import { createRun } from "../src/runs/create-run.ts";
import type { IterationJob } from "../src/runs/ports.ts";
import { createEntity } from "../src/store/entity-store.ts";
import { createProject } from "../src/store/project-store.ts";
import { runStore } from "../src/store/run-store.ts";
import { builtInTools } from "../src/tools/built-in.ts";
import { parseArgs } from "../src/tools/parse-args.ts";
import { makeRegistry } from "../src/tools/registry.ts";
import type { Tool, ToolContext, ToolOutcome } from "../src/tools/tool.ts";
import { newRun } from "../test/helpers/run-world.ts";
import { startLab } from "../test/lab/lab.ts";
import { labModels } from "../test/lab/lab-models.ts";
import type { LabReply, LabRequest, LabToolCall } from "../test/lab/lab-protocol.ts";
import { callTool, readResults } from "../test/lab/script.ts";
import { ratio, report } from "./figures.ts";
import { withLoop } from "./loop.ts";
import { delegated, type Errand, errands } from "./token-errands.ts";

type Counted = {
  readonly calls: number;
  readonly inputTokens: number;
  /** Of the input after the first call of each conversation, how much had been sent before. */
  readonly repeated: number;
  readonly after: number;
  /** The first call of an executor, where there was one. */
  readonly executorTokens: number | null;
};

const registry = makeRegistry(builtInTools);
const model = "openai-compatible/house-model";

export async function benchTokens(): Promise<void> {
  await withLoop(async ({ db, queue }) => {
    const totals = { ours: [] as Counted[], bare: [] as Counted[] };
    for (const errand of errands) {
      const ours = await onEngine(db, queue, errand);
      const bare = await onBareLoop(db, errand);
      totals.ours.push(ours);
      totals.bare.push(bare);
      report(`Tokens: ${errand.name}`, figuresOf(ours, bare));
    }
    report("Tokens: all four", figuresOf(sumUp(totals.ours), sumUp(totals.bare)));
    const { executorTokens } = await onEngine(db, queue, delegated);
    report("Tokens: an executor", { "first call of an executor, tokens": executorTokens ?? 0 });
  });
}

function figuresOf(ours: Counted, bare: Counted) {
  return {
    "calls, run": ours.calls,
    "calls, bare loop": bare.calls,
    "calls, run : bare loop": ratio(ours.calls, bare.calls),
    "input tokens, run": ours.inputTokens,
    "input tokens, bare loop": bare.inputTokens,
    "input tokens, run : bare loop": ratio(ours.inputTokens, bare.inputTokens),
    "input after the first call that was sent before": ratio(ours.repeated, ours.after),
    ...(ours.executorTokens === null ? {} : { "first call of an executor, tokens": ours.executorTokens }),
  };
}

const sumUp = (all: readonly Counted[]): Counted => {
  const sum = (what: "calls" | "inputTokens" | "repeated" | "after") => all.reduce((n, each) => n + each[what], 0);
  const executors = all.flatMap(({ executorTokens }) => executorTokens ?? []);
  return {
    calls: sum("calls"),
    inputTokens: sum("inputTokens"),
    repeated: sum("repeated"),
    after: sum("after"),
    executorTokens: executors.length === 0 ? null : Math.max(...executors),
  };
};

/** Four characters are a token, on both sides. */
const tokensOf = (text: string) => Math.ceil(text.length / 4);

/** What was sent, in the order in which providers keep prefixes: tools, instructions, messages. */
function sentText({ raw }: LabRequest): string {
  const { tools, messages } = raw as { readonly tools?: unknown; readonly messages?: unknown };
  return `${JSON.stringify(tools ?? [])}${JSON.stringify(messages ?? [])}`;
}

function count(requests: readonly LabRequest[]): Counted {
  const texts = requests.map(sentText);
  const roles = requests.map(roleOf);
  let repeated = 0;
  let after = 0;
  for (const [n, text] of texts.entries()) {
    if (n === 0) continue;
    after += text.length;
    repeated += Math.max(...texts.slice(0, n).map((before) => sharedLength(before, text)));
  }
  const firstOfExecutor = roles.indexOf("executor");
  return {
    calls: requests.length,
    inputTokens: texts.reduce((sum, text) => sum + tokensOf(text), 0),
    repeated,
    after,
    executorTokens: firstOfExecutor < 0 ? null : tokensOf(texts[firstOfExecutor] ?? ""),
  };
}

function sharedLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return at;
}

type Role = "planner" | "executor" | "judge" | "summary" | "bare";

function roleOf({ system, tools }: LabRequest): Role {
  if (tools.includes("end_iteration")) return "planner";
  if (system.startsWith("You carry out one task")) return "executor";
  if (system.startsWith("You judge")) return "judge";
  return tools.length > 0 ? "bare" : "summary";
}

async function onEngine(
  db: Database,
  queue: Parameters<typeof runStore>[1] & { fetch: (kind: "iteration", n: number) => Promise<readonly object[]> },
  errand: Errand,
): Promise<Counted> {
  const { user, project, things } = await prepare(db, errand);
  const lab = await startLab({ script: (request) => answer(request, errand, things) });
  const { models } = labModels(lab, [model]);
  const store = runStore(db, queue, () => {});
  const deps = { db, models, registry, env: realEnv };
  const loop = {
    store,
    engine: plannerEngine(deps),
    prover: storeProver(db, { judge: (...args) => judge(deps, ...args) }),
    newId: realEnv.newId,
    now: realEnv.now,
    workerName: "bench",
    breakers: defaultBreakers,
    limits: { maxConcurrentRuns: 3 },
  };
  const scope = { kind: "project", projectId: project } as const;
  const run = newRun(user, {
    objective: errand.objective,
    scope,
    checks: [planCheck],
    deliverables: [],
    isJudged: true,
  });
  await store.transaction((tx) => createRun(tx, run, { maxConcurrentRuns: 3 }));
  await iterate(loop, queue, run.id);
  const { rows } = await sql<{ status: string; detail: string | null }>`
    select status, detail from homework_runs where id = ${run.id}`.execute(db.system);
  await lab.close();
  if (rows[0]?.status !== "completed") throw new Error(`${errand.name}: ${JSON.stringify(rows[0])}`);
  return count(lab.requests);
}

const iterationsMax = 5;

async function iterate(
  loop: LoopDeps<Tx>,
  queue: { fetch: (kind: "iteration", n: number) => Promise<readonly object[]> },
  runId: RunId,
): Promise<void> {
  for (let iteration = 1; iteration <= iterationsMax; iteration++) {
    const [job] = await queue.fetch("iteration", 1);
    if (!job) return;
    const due = { ...job, runId, iteration } as unknown as IterationJob;
    await runIterationJob(loop, due, new AbortController().signal);
  }
}

/** The same tools, each call carried out at once, until an answer without one. */
async function onBareLoop(db: Database, errand: Errand): Promise<Counted> {
  const { user, project, things } = await prepare(db, errand);
  const lab = await startLab({ script: (request) => answer(request, errand, things) });
  const context: ToolContext = {
    userId: user,
    runId: null,
    iteration: 1,
    branchId: null,
    projectIds: [project],
    workspace: null,
    newId: realEnv.newId,
  };
  const offers = registry.offers({ stage: 1, chosen: [], missed: [], allowed: null });
  const tools = Object.fromEntries(
    offers.map(({ name, description, schema }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(schema as never),
        execute: async (args: unknown) => (await carryOut(db, user, context, name, args)).text,
      }),
    ]),
  );
  const provider = createOpenAICompatible({ name: "bare", baseURL: lab.baseUrl("openai-compatible"), apiKey: "none" });
  await generateText({
    model: provider("house-model"),
    instructions: bareRules,
    prompt: `Objective: ${errand.objective}\nProject: ${project}`,
    tools,
    stopWhen: isStepCount(30),
  });
  await lab.close();
  return count(lab.requests);
}

const bareRules =
  "You work on the user's objective with tools until it is done. Read before you write. When everything is done, say in a few sentences what you did.";

function carryOut(db: Database, user: UserId, context: ToolContext, name: string, args: unknown): Promise<ToolOutcome> {
  const found = registry.find(name);
  if (!found.ok) throw new Error(found.text);
  const parsed = parseArgs(found.tool, args);
  if (!parsed.ok) throw new Error(parsed.text);
  return db.asUser({ userId: user }, (tx) => use(tx, found.tool, context, parsed.args));
}

function use(tx: Tx, found: Tool, context: ToolContext, args: unknown): Promise<ToolOutcome> {
  if (found.kind === "outside") throw new Error("nothing outside is needed here");
  return found.kind === "read" ? found.read(tx, context, args) : found.write(tx, context, args);
}

type Prepared = { readonly user: UserId; readonly project: string; readonly things: readonly string[] };

async function prepare(db: Database, errand: Errand): Promise<Prepared> {
  const user = realEnv.newId() as UserId;
  await sql`insert into auth_users (id, name, email) values (${user}, 'Bench', ${`${user}@example.test`})`.execute(
    db.system,
  );
  const project = realEnv.newId();
  const things: string[] = [];
  await db.asUser({ userId: user }, async (tx) => {
    await createProject(tx, project, user, {
      name: "Bench",
      description: "",
      type_key: "project.default",
      state_key: "active",
      props: {},
    });
    for (const { title, content } of errand.documents) {
      const id = realEnv.newId();
      await createEntity(tx, "document", { id, projectId: project, by: user }, { title, content });
      things.push(id);
    }
  });
  return { user, project, things };
}

/** The model: what the errand needs, with the words of a session around it where there is one. */
function answer(request: LabRequest, errand: Errand, things: readonly string[]): LabReply {
  const role = roleOf(request);
  if (role === "judge") return { text: judged(request) };
  if (role === "executor") return { text: "The offers were compared; the second one is the cheaper by far." };
  if (role === "summary") return { text: "The run did what was asked for. ".repeat(4) };
  const steps = errand.steps(things);
  const at = request.turns.filter((turn) => turn.role === "assistant").length;
  const step = steps[at];
  const calls = step === undefined ? [] : step(readResults(request).map(({ text }) => text));
  if (role === "bare") return step === undefined ? { text: errand.summary } : { toolCalls: calls };
  return { toolCalls: at === 0 ? [...opening(errand), ...calls] : step === undefined ? closing(errand) : calls };
}

/** The beginning of the work is quoted, as the judge has to. */
function judged({ turns }: LabRequest): string {
  const work = /from "work">>>\n([\s\S]*?)\n<<<end/.exec(turns.at(-1)?.text ?? "")?.[1] ?? "";
  const quote = (work.split("\n").find((line) => !line.startsWith("Title:") && line.length > 20) ?? work).slice(0, 60);
  return JSON.stringify({ complete: true, score: 0.9, missing: [], quotes: [quote] });
}

const opening = ({ check }: Errand): readonly LabToolCall[] => [
  callTool("update_plan", { steps: [{ id: "s1", title: "Do what is asked for", status: "in_progress" }] }),
  callTool("propose_checks", {
    deliverables: [{ id: "d1", title: "What was asked for" }],
    checks: [{ id: "c1", deliverable_id: "d1", ...check }],
  }),
];

const closing = ({ summary }: Errand): readonly LabToolCall[] => [
  callTool("update_plan", { steps: [{ id: "s1", title: "Do what is asked for", status: "done" }] }),
  callTool("end_iteration", { exit_signal: true, progress_summary: summary, summary }),
];
