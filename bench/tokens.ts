// What the engine costs beside a bare tool loop: the same scripted model, the same tools and the same four objectives, once as a run
// with its plan, checks, judge and report, twice as a plain loop of the AI SDK. Counted by the lab, in the same minute. An objective that
// costs more than it may fails the command.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { sql } from "kysely";
import type { Database, Tx } from "../src/db/database.ts";
import type { UserId } from "../src/domain/identity/identity.ts";
import { planCheck } from "../src/domain/run/checks/adopt.ts";
import { defaultBreakers } from "../src/domain/run/gate/breakers.ts";
import type { RunId } from "../src/domain/run/run.ts";
import { judge } from "../src/engine/judge.ts";
import { plannerEngine } from "../src/engine/planner/planner-engine.ts";
import { storeProver } from "../src/engine/prove.ts";
import { type LoopDeps, runIterationJob } from "../src/loop/run-iteration-job.ts";
import { realEnv } from "../src/main/env.ts";
import { createRun } from "../src/runs/create-run.ts";
import { loopStore } from "../src/runs/loop-store.ts";
import type { IterationJob } from "../src/runs/ports/run-store.ts";
import { createEntity } from "../src/store/entity/entity-store.ts";
import { createProject } from "../src/store/entity/project-store.ts";
import { runStore } from "../src/store/run/run-store.ts";
import { builtInTools } from "../src/tools/built-in.ts";
import { parseArgs } from "../src/tools/parse-args.ts";
import { makeRegistry } from "../src/tools/registry.ts";
import type { Tool, ToolContext, ToolOutcome } from "../src/tools/tool.ts";
import { newRun } from "../test/helpers/run-world.ts";
import { startLab } from "../test/lab/lab.ts";
import { labModels } from "../test/lab/lab-models.ts";
import type { LabReply, LabRequest } from "../test/lab/lab-protocol.ts";
import { ratio, report } from "./figures.ts";
import { withLoop } from "./loop.ts";
import { delegated, type Errand, errands } from "./token-errands.ts";
import { answer, roleOf } from "./token-policy.ts";

type Counted = {
  readonly calls: number;
  readonly inputTokens: number;
  /** Of the input after the first call of each conversation, how much had been sent before. */
  readonly repeated: number;
  readonly after: number;
  /** The first call of an executor, where there was one. */
  readonly executorTokens: number | null;
  /** What the model called in each answer. */
  readonly turns: readonly string[];
};

const registry = makeRegistry(builtInTools);
const model = "openai-compatible/house-model";

/** What docs/performance.md promises, for each objective by itself. */
const aims = { calls: 1.3, repeated: 0.8, executorTokens: 4_000 } as const;

/** Beside a loop that has to find the documents, and beside one that is given their ids with the objective. */
const bareLoops = [
  { name: "a bare loop", isTold: false, inputTokensMost: 1.5 },
  // It has nothing to find, and no judge reads all of its work and sources at the end: a run does, once.
  { name: "a bare loop that is told the ids", isTold: true, inputTokensMost: 1.6 },
] as const;

export async function benchTokens(): Promise<void> {
  const missed: string[] = [];
  await withLoop(async ({ db, queue }) => {
    for (const errand of errands) {
      const ours = await onEngine(db, queue, errand);
      report(`Tokens: ${errand.name}, as a run`, tellCounted(ours));
      for (const { name, isTold, inputTokensMost } of bareLoops) {
        const bare = await onBareLoop(db, errand, isTold);
        report(`Tokens: ${errand.name}, on ${name}`, { ...tellCounted(bare), ...compare(ours, bare) });
        missed.push(...findMissed(ours, bare, inputTokensMost).map((what) => `${errand.name} beside ${name}: ${what}`));
      }
    }
    const { executorTokens } = await onEngine(db, queue, delegated);
    report("Tokens: an executor", { "first call of an executor, tokens": executorTokens });
    if (executorTokens === null || executorTokens >= aims.executorTokens)
      missed.push(`the first call of an executor has ${executorTokens} tokens, not less than ${aims.executorTokens}`);
  });
  for (const line of missed) process.stderr.write(`Missed: ${line}.\n`);
  if (missed.length > 0) process.exitCode = 1;
}

const tellCounted = ({ calls, inputTokens, turns, repeated, after }: Counted) => ({
  calls,
  "input tokens": inputTokens,
  "input after the first call that was sent before": ratio(repeated, after),
  "what was called": turns.join(" | "),
});

const compare = (ours: Counted, bare: Counted) => ({
  "calls, run : bare loop": ratio(ours.calls, bare.calls),
  "input tokens, run : bare loop": ratio(ours.inputTokens, bare.inputTokens),
});

function findMissed(ours: Counted, bare: Counted, inputTokensMost: number): readonly string[] {
  const calls = ours.calls / bare.calls;
  const inputTokens = ours.inputTokens / bare.inputTokens;
  const repeated = ours.repeated / ours.after;
  return [
    ...(calls <= aims.calls ? [] : [`${calls.toFixed(3)} times the calls, not ${aims.calls} at most`]),
    ...(inputTokens <= inputTokensMost
      ? []
      : [`${inputTokens.toFixed(3)} times the input tokens, not ${inputTokensMost} at most`]),
    ...(repeated >= aims.repeated
      ? []
      : [`${repeated.toFixed(3)} of the input was sent before, not ${aims.repeated} at least`]),
  ];
}

/** Four characters are a token, on both sides. */
const tokensOf = (text: string) => Math.ceil(text.length / 4);

/** What was sent, in the order in which providers keep prefixes: tools, instructions, messages. */
function sentText({ raw }: LabRequest): string {
  const { tools, messages } = raw as { readonly tools?: unknown; readonly messages?: unknown };
  return `${JSON.stringify(tools ?? [])}${JSON.stringify(messages ?? [])}`;
}

function count({ requests, turns }: Conversation): Counted {
  const texts = requests.map(sentText);
  const roles = requests.map(roleOf);
  let repeated = 0;
  let after = 0;
  for (const [n, text] of texts.entries()) {
    // The judge reads what was made with eyes of its own: nothing of its first call can have been sent before.
    if (roles.indexOf(roles[n] ?? "planner") === n) continue;
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
    turns,
  };
}

type Conversation = { readonly requests: readonly LabRequest[]; readonly turns: readonly string[] };

/** A lab whose model works on the errand, and what it answered, in names. */
async function startModel(errand: Errand) {
  const turns: string[] = [];
  const script = (request: LabRequest): LabReply => {
    const reply = answer(request, errand);
    turns.push(nameTurn(request, reply));
    return reply;
  };
  return { lab: await startLab({ script }), turns };
}

function nameTurn(request: LabRequest, reply: LabReply): string {
  const role = roleOf(request);
  if (!("toolCalls" in reply) || reply.toolCalls === undefined) return role === "bare" ? "answer" : role;
  const names = Map.groupBy(reply.toolCalls, ({ name }) => name);
  return [...names].map(([name, calls]) => (calls.length === 1 ? name : `${calls.length} ${name}`)).join(" + ");
}

function sharedLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return at;
}

async function onEngine(
  db: Database,
  queue: Parameters<typeof runStore>[1] & { fetch: (kind: "iteration", n: number) => Promise<readonly object[]> },
  errand: Errand,
): Promise<Counted> {
  const { user, project } = await prepare(db, errand);
  const { lab, turns } = await startModel(errand);
  const { models } = labModels(lab, [model]);
  const store = runStore(db, queue, () => {});
  const deps = { db, models, registry, env: realEnv };
  const loop = {
    runs: loopStore(store, { workerName: "bench", breakers: defaultBreakers, limits: { maxConcurrentRuns: 3 } }),
    engineFor: () => ({
      engine: plannerEngine(deps),
      prover: storeProver(db, { judge: (...args) => judge(deps, ...args) }),
      workFolder: null,
    }),
    newId: realEnv.newId,
    now: realEnv.now,
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
  return count({ requests: lab.requests, turns });
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
async function onBareLoop(db: Database, errand: Errand, isTold: boolean): Promise<Counted> {
  const { user, project, documents } = await prepare(db, errand);
  const { lab, turns } = await startModel(errand);
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
    prompt: [`Objective: ${errand.objective}`, `Project: ${project}`, ...(isTold ? documents : [])].join("\n"),
    tools,
    stopWhen: isStepCount(30),
  });
  await lab.close();
  return count({ requests: lab.requests, turns });
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

/** `documents`: a line for each, with its id. */
type Prepared = { readonly user: UserId; readonly project: string; readonly documents: readonly string[] };

async function prepare(db: Database, errand: Errand): Promise<Prepared> {
  const user = realEnv.newId() as UserId;
  await sql`insert into auth_users (id, name, email) values (${user}, 'Bench', ${`${user}@example.test`})`.execute(
    db.system,
  );
  const project = realEnv.newId();
  const documents: string[] = [];
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
      documents.push(`- document ${id} "${title}"`);
    }
  });
  return { user, project, documents };
}
