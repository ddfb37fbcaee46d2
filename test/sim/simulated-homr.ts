// HOMЯ in a simulation: its own jobs over the store in memory, with models that say anything and whose calls are counted outside.

import { z } from "zod";
import type { OutcomeState } from "../../src/domain/homr/outcome-state.ts";
import type { HomrDeps } from "../../src/homr/homr-deps.ts";
import { runHomrJob } from "../../src/homr/run-turn.ts";
import type { ModelFault, ModelOutcome, ModelRequest, Models } from "../../src/llm/model.ts";
import type { AttemptWork } from "../../src/outcomes/ports/attempt-work.ts";
import type { QueuedJob } from "../../src/queue/job-queue.ts";
import type { Limits } from "../../src/runs/carry-out.ts";
import { toHomrJob } from "../../src/store/outcome/homr-jobs.ts";
import { faultyOutcomes } from "./faulty-ports.ts";
import type { MemoryBackend } from "./memory/memory-backend.ts";
import type { MemoryWrites } from "./memory/memory-journal-store.ts";
import { Simulated } from "./provider.ts";
import type { Random } from "./random.ts";
import type { Actor, World } from "./world.ts";

const chance = { provider: "chance", id: "chance/homr", isDemo: false } as const;
const mostMicroUsd = 30;

export type HomrPlay = {
  readonly world: World;
  readonly backend: MemoryBackend;
  readonly limits: Limits;
  /** Around what a worker does, for planted bugs. */
  readonly deps?: (deps: HomrDeps<MemoryWrites>) => HomrDeps<MemoryWrites>;
};

export function simulatedHomr({ world, backend, limits, deps = (same) => same }: HomrPlay, actor: Actor) {
  const whole: HomrDeps<MemoryWrites> = deps({
    ...faultyOutcomes(world, actor, backend.outcomesFor(actor)),
    readWork: async (_userId, runId) => {
      await world.point(actor, "read work");
      return workOf(backend, runId);
    },
    readReviewWork: async () => ({ tasks: [], more: 0, redChecks: [], earlier: [] }),
    readLiveness: async () => [],
    models: modelsOf(world, actor),
    env: world.envOf(actor),
    limits,
    logger: { debug: () => {}, warn: () => {} },
  });
  return (job: QueuedJob, signal: AbortSignal) => runHomrJob(whole, toHomrJob(job), signal);
}

function workOf({ database }: MemoryBackend, runId: string): AttemptWork {
  const record = [...database.runs.values()].find(({ run }) => run.id === runId);
  const iterations = (record?.iterations ?? [])
    .slice(-3)
    .map(({ iteration }) => ({ iteration, summary: `made ${iteration}`, text: "" }));
  return {
    ...{
      said: [],
      summary: record?.report?.summary ?? "",
      openQuestions: [],
      unsure: [],
      artifacts: [],
      diff: "",
      failedChecks: [],
      remaining: [],
    },
    iterations,
    isTainted: false,
  };
}

function modelsOf(world: World, actor: Actor): Models {
  return {
    chainOf: () => [chance],
    isPriced: () => true,
    reservationOf: () => mostMicroUsd,
    call: async (_model, request, signal) => {
      if (signal.aborted) throw new Simulated("aborted before it began");
      await world.pointOutside(actor, `provider ${request.role}`, { minMs: 100, maxMs: 2_000 });
      if (signal.aborted) throw new Simulated("aborted under way");
      return answer(world, actor, request);
    },
  };
}

const noFigures = { inputTokens: 0, cachedTokens: 0, writtenTokens: 0, outputTokens: 0, pricedBy: "provider" } as const;

function answer(world: World, actor: Actor, request: ModelRequest): ModelOutcome {
  if (world.faults.strikes("provider_error")) throw new Simulated("simulated: a surprise from the provider");
  const fault = refuse(world, actor);
  if (fault !== null)
    return { kind: "fault", fault, usage: fault.kind === "transient" ? "unknown" : { ...noFigures, costMicroUsd: 0 } };
  const costMicroUsd = world.wait({ minMs: 1, maxMs: mostMicroUsd });
  const usage = { ...noFigures, costMicroUsd, inputTokens: 10, outputTokens: 5 };
  const text = world.random.chance(0.05) ? "no JSON at all" : JSON.stringify(think(world.random, request.view));
  if (world.faults.strikes("provider_cut_off")) return { kind: "cut_off", text, outputTokens: 5, why: "length", usage };
  return { kind: "answered", answer: { text, toolCalls: [], native: null }, usage };
}

function refuse({ faults, random, nowMs }: World, actor: Actor): ModelFault | null {
  const untilMs = nowMs + actor.clockOffMs + random.between(1_000, 60_000);
  if (faults.strikes("provider_hold")) return { kind: "limit", untilMs, why: "too many requests" };
  if (faults.strikes("provider_away")) return { kind: "transient", why: "the connection was lost" };
  if (faults.strikes("provider_auth")) return { kind: "auth", why: "the key is refused" };
  return faults.strikes("provider_refused") ? { kind: "refused", why: "it will never take this" } : null;
}

const asked = z.looseObject({ kind: z.string() });

/** Anything that could be said, about tasks that are there and some that are not. */
function think(random: Random, view: unknown): object {
  const { kind } = asked.parse(view);
  const { state } = view as { readonly state: OutcomeState };
  switch (kind) {
    case "observer":
      return observe(random, state);
    case "escalation":
      return {
        question: "Which way?",
        options: [option("left"), option("right")],
        recommended: random.pick(["left", "none"]),
      };
    case "resolver":
      return { option: random.pick(["left", "right", "pause", "nonsense"]), confidence: random.next(), reason: "so" };
    default:
      return {
        findings: random.chance(0.3) ? [{ description: "It is crooked", severity: "medium", evidence: "" }] : [],
        summary: "Looked",
      };
  }
}

const option = (id: string) => ({ id, label: `Go ${id}`, description: "", implications: "" });

function observe(random: Random, { tasks }: OutcomeState) {
  const someTask = () => (random.chance(0.1) ? 9_999 : random.pick(tasks).number);
  const some = <T>(rate: number, make: () => T): readonly T[] => (random.chance(rate) ? [make()] : []);
  const onTrack = random.chance(0.7);
  return {
    onTrack,
    alignmentScore: onTrack ? random.between(50, 100) : random.between(0, 60),
    quality: random.pick(["good", "good", "needs_work", "off_rails"]),
    summary: "It was looked at",
    drift: some(0.3, () => ({
      type: random.pick(["scope_creep", "wrong_direction", "missed_requirement"]),
      description: "It drifts",
      severity: random.pick(["low", "medium", "high"]),
      evidence: "there",
    })),
    issues: [],
    discoveries: some(0.4, () => ({
      type: random.pick(["constraint", "dependency", "pattern", "blocker"]),
      content: `A fact of some length, number ${random.below(1_000)}`,
      relevantTasks: random.chance(0.5) ? ["*"] : [someTask()],
      source: "the end",
    })),
    decisions: [],
    wishes: some(0.3, () =>
      random.pick([
        { type: "update_priority", task: someTask(), priority: random.between(1, 200), reason: "sooner" },
        { type: "mark_obsolete", task: someTask(), reason: "done elsewhere" },
        { type: "create_task", title: "One more", description: "Do it too", before: someTask(), reason: "missing" },
        { type: "add_dependency", task: someTask(), dependsOn: someTask(), reason: "first things first" },
        { type: "update_description", task: someTask(), additions: "and so", reason: "clearer" },
      ]),
    ),
    ambiguity: random.chance(0.15)
      ? {
          type: random.pick(["unclear_requirement", "multiple_approaches", "blocking_decision"]),
          description: "It is unclear",
          evidence: ["which one"],
          affectedTasks: random.chance(0.3) ? ["*"] : [someTask()],
          suggestedQuestion: "Which one?",
        }
      : null,
  };
}
