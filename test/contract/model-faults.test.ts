// Every place that asks a model, with every fault: the run ends in the state that DESIGN §3.2 names, and the worker lives on. The
// places are searched for in the source, so a new one without a row here fails.

import { expect, test } from "vitest";
import { type ChatId, chatLimits } from "../../src/domain/chat/chat.ts";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { planCheck } from "../../src/domain/run/checks/adopt.ts";
import { pause } from "../../src/domain/run/commands.ts";
import type { Run, RunId } from "../../src/domain/run/run.ts";
import { chatEngine } from "../../src/engine/chat/chat-engine.ts";
import { judge } from "../../src/engine/judge.ts";
import { plannerEngine } from "../../src/engine/planner/planner-engine.ts";
import { storeProver } from "../../src/engine/prove.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import type { ModelOutcome, ModelRole, PlainAnswer } from "../../src/llm/model.ts";
import { runIterationJob } from "../../src/loop/run-iteration-job.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import { insertOpenAnswer } from "../helpers/chat-rows.ts";
import { callTools, type FaultyPlay, faultyModels, hastyEnv } from "../helpers/faulty-models.ts";
import { hallWords } from "../helpers/planner-scenario.ts";
import { runWorld } from "../helpers/run-world.ts";
import { isTest, sourceFiles, visit } from "../helpers/source-files.ts";

const world = await runWorld(10_000);
const user = await world.makeUser();
const projectId = await world.makeProject(user);
const registry = makeRegistry(builtInTools);

/** Everything that a run needs to be done, in one answer. */
const wholeWork = callTools(
  {
    tool: "propose_checks",
    args: {
      deliverables: [{ id: "d1", title: "A page" }],
      checks: [{ id: "c1", deliverable_id: "d1", kind: "document_has", title_like: "hall", words_at_least: 40 }],
    },
  },
  { tool: "create_document", args: { title: "The hall", content: `# Goal\n\n${hallWords}`, project_id: projectId } },
  { tool: "update_plan", args: { steps: [{ id: "s1", title: "Write the page", status: "done" }] } },
  { tool: "end_iteration", args: { exit_signal: true, progress_summary: "done", completion_evidence: ["the page"] } },
);
const delegated = callTools({
  tool: "delegate",
  args: { tasks: [{ title: "Look", instructions: "Look at the hall" }] },
});
const unfit = callTools({ tool: "create_task", args: { name: "no title" } });
const misquote: PlainAnswer = {
  text: JSON.stringify({ complete: true, score: 1, missing: [], quotes: ["this stands nowhere in the work"] }),
  toolCalls: [],
};

type Row = Pick<FaultyPlay, "site" | "answers"> & {
  /** `narrative`: the run has ended by then, and its report does without. `chat`: no run is there. */
  readonly kind: "run" | "narrative" | "chat";
};

const at = (role: ModelRole, from = 0) => ({ role, from });

/** By place: file, function and which call of it. One place may be reached by several ways. */
const rows: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  "src/engine/chat/chat-engine.ts askSaid 1": {
    "an answer in a chat": { kind: "chat", site: at("chat"), answers: {} },
  },
  "src/engine/judge.ts ask 1": {
    "the judge": { kind: "run", site: at("judge"), answers: { planner: [wholeWork] } },
    "the judge after a misquote": {
      kind: "run",
      site: at("judge", 1),
      answers: { planner: [wholeWork], judge: [misquote] },
    },
  },
  "src/engine/narrate.ts ask 1": { "the narrative": { kind: "narrative", site: at("summary"), answers: {} } },
  "src/engine/planner/session-loop.ts askInSession 1": {
    "an executor": { kind: "run", site: at("executor"), answers: { planner: [delegated] } },
    "the planner's first answer": { kind: "run", site: at("planner"), answers: {} },
    "the planner's second answer": { kind: "run", site: at("planner", 1), answers: { planner: [delegated] } },
  },
  "src/engine/tools/call-tool.ts askObject 1": {
    "a repair for the planner": { kind: "run", site: at("repair"), answers: { planner: [unfit, unfit] } },
    "a repair for an executor": {
      kind: "run",
      site: at("repair"),
      answers: { planner: [delegated], executor: [unfit, unfit] },
    },
    "a repair in a chat": { kind: "chat", site: at("repair"), answers: { chat: [unfit, unfit] } },
  },
};

const asking = ["ask", "askSaid", "askInSession", "askObject"];
const askingModels = ["askModel", "askForObject"];

/** Calls of these functions, in the product, outside of the file that has them. */
function findCalls(names: readonly string[], except: readonly string[]): readonly string[] {
  return sourceFiles
    .filter((source) => source.file.startsWith("src/") && !isTest(source) && !except.includes(source.file))
    .filter(({ text }) => names.some((name) => new RegExp(`import [^;]*\\b${name}\\b[^;]*from`).test(text)))
    .flatMap((source) => {
      const counts = new Map<string, number>();
      visit(source, ["CallExpression"], (node) => {
        if (node.type !== "CallExpression" || node.callee.type !== "Identifier") return;
        const { name } = node.callee;
        if (names.includes(name) && isImported(source.text, name)) counts.set(name, (counts.get(name) ?? 0) + 1);
      });
      return [...counts].flatMap(([name, count]) =>
        Array.from({ length: count }, (_, n) => `${source.file} ${name} ${n + 1}`),
      );
    })
    .toSorted();
}

const isImported = (text: string, name: string): boolean =>
  new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from "[^"]*(?:ask|ask-model|structured)\\.ts"`).test(text);

test("every place that asks a model has a row", () => {
  // What HOMЯ asks is put through every fault in src/homr/turn-faults.test.ts.
  const places = [...Object.keys(rows), "src/homr/turn.ts askObject 1"];
  expect(findCalls(asking, ["src/engine/ask.ts"])).toEqual(places.toSorted());
  expect(findCalls(askingModels, ["src/llm/structured.ts"])).toEqual([
    "src/engine/ask.ts askForObject 1",
    "src/engine/ask.ts askModel 1",
  ]);
});

const faulty = (fault: Extract<ModelOutcome, { kind: "fault" }>["fault"]) => async (): Promise<ModelOutcome> => ({
  kind: "fault",
  fault,
  usage: "unknown",
});
const cutOff = async (): Promise<ModelOutcome> => ({
  kind: "cut_off",
  text: "half of",
  outputTokens: 9,
  why: "length",
  usage: "unknown",
});

/** Far from now, so that it is the provider's own time. */
const untilMs = 4_000_000_000_000;
const isHeld = { kind: "hold", state: { status: "running", iteration: 1, hold: { why: expect.any(String) } } };
const goesOn = { kind: "continue", state: { status: "running", iteration: 2, hold: null } };
const stopped = (reason: string) => ({ kind: "stop", state: { status: "stopped", reason } });

type Fault = {
  readonly fault: FaultyPlay["fault"];
  readonly isTooDear?: boolean;
  /** What is decided, and how the run stands then. */
  readonly run: object;
  /** What the user reads in a chat. */
  readonly chat: RegExp;
};

const faults: Readonly<Record<string, Fault>> = {
  limit: { fault: faulty({ kind: "limit", why: "slow down", untilMs }), run: isHeld, chat: /cannot answer now/ },
  outage: { fault: faulty({ kind: "transient", why: "503" }), run: isHeld, chat: /cannot answer now/ },
  auth: { fault: faulty({ kind: "auth", why: "401" }), run: stopped("provider_auth"), chat: /does not take the key/ },
  quota: { fault: faulty({ kind: "quota", why: "402" }), run: stopped("provider_quota"), chat: /used up/ },
  refused: { fault: faulty({ kind: "refused", why: "400" }), run: goesOn, chat: /refused the request/ },
  too_long: { fault: faulty({ kind: "too_long", why: "big" }), run: goesOn, chat: /too long/ },
  filtered: { fault: faulty({ kind: "filtered", why: "no" }), run: goesOn, chat: /filtered/ },
  cut_off: { fault: cutOff, run: goesOn, chat: /broke off/ },
};

const budget = { ...defaultBudget, maxCostMicroUsd: 1_000, isCostHard: true };
const allRows = Object.values(rows).flatMap((ways) => Object.entries(ways));
const cases = (kinds: readonly Row["kind"][], names: readonly string[]) =>
  allRows
    .filter(([, row]) => kinds.includes(row.kind))
    .flatMap(([place, row]) => names.map((name) => [place, name, row] as const));

type Play = Pick<Fault, "fault" | "isTooDear"> & { readonly controller?: AbortController };

async function begin(row: Row): Promise<Run> {
  const once = row.kind === "narrative" ? { ...budget, maxIterations: 1 } : budget;
  return world.create(user, {
    objective: "Find a hall",
    checks: [planCheck],
    deliverables: [],
    budget: once,
    isJudged: true,
  });
}

/** One iteration of a run that meets the fault; it resolves whatever happens. */
async function play(run: Run, row: Row, { fault, isTooDear = false, controller = new AbortController() }: Play) {
  const models = faultyModels({ ...row, fault, isTooDear });
  const deps = { db: world.db, models, registry, env: hastyEnv };
  const prover = storeProver(world.db, { judge: (...args) => judge(deps, ...args) });
  const [job] = (await world.queue.fetch("iteration", 1_000)).filter(
    ({ data }) => (data as { run_id: string }).run_id === run.id,
  );
  if (job === undefined) throw new Error("there is a job");
  const due = { id: job.id, attempt: job.attempt, runId: run.id as RunId, iteration: 1 };
  const ended = await runIterationJob(world.deps(plannerEngine(deps), { prover }), due, controller.signal);
  expect(models.hasMet(), "the call was made").toBe(true);
  const { state, deaths } = await world.find(run.id);
  return { kind: typeof ended === "object" && ended !== null ? ended.kind : ended, state, deaths };
}

test.each(cases(["run"], Object.keys(faults)))("%s: %s", async (_place, name, row) => {
  const { fault, run: expected } = faults[name] as Fault;
  expect(await play(await begin(row), row, { fault })).toMatchObject({ ...expected, deaths: 0 });
});

test.each(cases(["run"], ["hard limit"]))("%s: %s", async (_place, _name, row) =>
  expect(await play(await begin(row), row, { fault: cutOff, isTooDear: true })).toMatchObject(stopped("cost")),
);

test.each(cases(["narrative"], [...Object.keys(faults), "hard limit"]))("%s: %s", async (_place, name, row) => {
  const run = await begin(row);
  const { fault = cutOff } = faults[name] ?? {};
  expect(await play(run, row, { fault, isTooDear: name === "hard limit" })).toMatchObject(stopped("max_iterations"));
  const { rows: found } = await world.admin.query(
    "select report->>'summary' as summary from homework.homework_runs where id = $1",
    [run.id],
  );
  expect(found[0]?.summary).toEqual(expect.stringMatching(/\w/));
});

test.each(cases(["run", "narrative"], ["lost lease"]))("%s: %s", async (_place, _name, row) => {
  const run = await begin(row);
  const lose = async () => {
    await world.command(run, pause);
    return cutOff();
  };
  expect(await play(run, row, { fault: lose })).toMatchObject({
    kind: "lost",
    state: { status: "stopped", reason: "paused" },
    deaths: 0,
  });
});

test.each(cases(["run", "narrative"], ["abort"]))("%s: %s", async (_place, _name, row) => {
  const controller = new AbortController();
  const stop = async (signal: AbortSignal) => {
    controller.abort();
    signal.throwIfAborted();
    return cutOff();
  };
  expect(await play(await begin(row), row, { fault: stop, controller })).toMatchObject({
    kind: "aborted",
    state: { status: "running", iteration: 1, hold: null },
  });
});

/** An answer in a chat that meets the fault. */
async function answer(row: Row, fault: FaultyPlay["fault"], controller = new AbortController()) {
  const chatId = (await insertOpenAnswer(world.admin, user, chatLimits.silentSeconds + 1)) as ChatId;
  const models = faultyModels({ ...row, fault, isTooDear: false });
  const deps = { db: world.db, models, registry, env: hastyEnv, logger: silentLogger, timeZone: "UTC" };
  await chatEngine({ ...deps, ownTools: () => [] }).answer({ chatId, userId: user }, controller.signal);
  expect(models.hasMet(), "the call was made").toBe(true);
  const { rows: found } = await world.admin.query(
    "select state, error from homework.chat_messages where session_id = $1 order by seq desc limit 1",
    [chatId],
  );
  return found[0];
}

const interrupting = ["limit", "outage", "auth", "quota"];

test.each(cases(["chat"], Object.keys(faults)))("%s: %s", async (place, name, row) => {
  const { fault, chat } = faults[name] as Fault;
  const ended = await answer(row, fault);
  // A repair that failed for good is no fault of the answer: the model is told, and goes on.
  const isMended = place === "a repair in a chat" && !interrupting.includes(name);
  expect(ended).toMatchObject(
    isMended ? { state: "complete" } : { state: "failed", error: expect.stringMatching(chat) },
  );
});

test.each(cases(["chat"], ["abort"]))("%s: %s", async (_place, _name, row) => {
  const controller = new AbortController();
  const stop = async (signal: AbortSignal) => {
    controller.abort();
    signal.throwIfAborted();
    return cutOff();
  };
  // Let go of: the next process carries it on.
  expect(await answer(row, stop, controller)).toMatchObject({ state: "streaming", error: null });
});

test.each(cases(["chat"], ["lost answer"]))("%s: %s", async (_place, _name, row) => {
  const lose = async () => {
    await world.admin.query("update homework.chat_messages set state = 'stopped' where state = 'streaming'");
    return cutOff();
  };
  expect(await answer(row, lose)).toMatchObject({ state: "stopped", error: null });
});
