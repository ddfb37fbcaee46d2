// The sessions of a simulated engine: the product's own tool loop for a planner and, at once, for two executors, with keys and
// entries as the planner engine has them. Tools write, act outside, fail or are forbidden.

import { type LoopEnd, runToolLoop } from "../../src/engine/tool-loop.ts";
import type { ToolCall, ToolReply } from "../../src/llm/model.ts";
import type { IterationInput, Journal } from "../../src/runs/ports/engine.ts";
import { type Lane, plannerLane, platformLane } from "../../src/runs/ports/run-store.ts";
import { waitForAll } from "../../src/runs/wait-for-all.ts";
import type { Backend } from "./backend.ts";
import { guardOf } from "./faulty-ports.ts";
import { type Asker, askSimulated, toMessage } from "./simulated-models.ts";
import type { End, SimulatedTool } from "./think.ts";

export type Work<Writes> = Asker<Writes> & {
  readonly backend: Backend<Writes>;
  readonly input: IterationInput;
  readonly journal: Journal<Writes>;
};

/** What came of a planner's session. */
export type RanSession = {
  readonly end: LoopEnd;
  /** Null: it was silent. */
  readonly said: End | null;
  readonly calls: number;
  readonly heard: number;
};

const plannerLimits = { answers: 5, calls: 10, callsAtOnce: 4 } as const;
const executorLimits = { answers: 3, calls: 6, callsAtOnce: 4 } as const;

/** What one session goes by. */
type Strand<Writes> = {
  readonly work: Work<Writes>;
  readonly lane: Lane;
  readonly prefix: string;
  readonly state: { said: End | null; calls: number; executors: number };
};

export async function runPlanner<Writes>(work: Work<Writes>): Promise<RanSession> {
  const strand: Strand<Writes> = {
    work,
    lane: plannerLane,
    prefix: "",
    state: { said: null, calls: 0, executors: 0 },
  };
  const { end, heard } = await runStrand(strand);
  const { said, calls } = strand.state;
  return { end, said, calls, heard };
}

async function runExecutor<Writes>(work: Work<Writes>, n: number): Promise<LoopEnd> {
  const state = { said: null, calls: 0, executors: 0 };
  return (await runStrand({ work, lane: { id: `exec:${n}`, title: `strand ${n}` }, prefix: `exec:${n}/`, state })).end;
}

type Opening = { readonly said: readonly string[] };

async function runStrand<Writes>(strand: Strand<Writes>): Promise<{ readonly end: LoopEnd; readonly heard: number }> {
  const { work, lane, prefix } = strand;
  const { journal, input } = work;
  const isPlanner = lane.id === plannerLane.id;
  const opening = await open(strand);
  const shown = [...opening.said];
  let talk = 0;
  const end = await runToolLoop({
    opening: [
      {
        role: "user",
        text: `iteration ${input.run.state.iteration} ${prefix} ${opening.said.map(toMessage).join(" ")}`,
      },
    ],
    limits: isPlanner ? plannerLimits : executorLimits,
    howToEnd: "end",
    ask: (step, messages) =>
      askSimulated(work, { key: `${prefix}llm:${step}`, role: isPlanner ? "planner" : "executor", lane, messages }),
    carryOut: (step, calls) => carryOut(strand, step, calls),
    onText: () => {
      talk += 1;
      return !isPlanner || talk > 1 ? true : "Say how it ends.";
    },
    hear: async (step) => {
      const key = `${prefix}heard:${step}`;
      // An answer that is journaled has heard what is journaled beside it.
      if (journal.has(`${prefix}llm:${step}`) && !journal.has(key)) return "";
      const heard = await journal.hear({ key, lane, tool: null, args: null }, shown);
      shown.push(...heard.map(({ id }) => id));
      return heard.map(({ id }) => toMessage(id)).join("\n");
    },
    mustEnd: async () => null,
  });
  return { end, heard: shown.length - opening.said.length };
}

/** Everything the user has said to the run so far; the same for every attempt. */
function open<Writes>({ work, prefix }: Strand<Writes>): Promise<Opening> {
  const { world, actor, backend, input, journal } = work;
  return journal.once({ key: `${prefix}opening`, lane: platformLane, tool: null, args: null }, async () => ({
    result: { said: await guardOf(world, actor)("messages", () => backend.readMessages(input.run)) },
    summary: "Opened the session",
    artifacts: [],
    isBookkeeping: true,
  }));
}

async function carryOut<Writes>(strand: Strand<Writes>, step: number, calls: readonly ToolCall[]) {
  const replies: ToolReply[] = [];
  let isEnd = false;
  for (const [n, { callId, tool, args }] of calls.entries()) {
    strand.state.calls += 1;
    if (tool === "end_iteration") {
      strand.state.said = (args as { end: End }).end;
      isEnd = true;
    }
    const text = await useTool(strand, tool as SimulatedTool, `${strand.prefix}tool:${step}.${n}`);
    replies.push({ callId, tool, text, isError: text.startsWith("not") });
  }
  return { replies, isEnd };
}

async function useTool<Writes>(
  { work, lane, state }: Strand<Writes>,
  tool: SimulatedTool,
  key: string,
): Promise<string> {
  const { journal, input, world, backend } = work;
  const head = { key, lane, tool, args: null };
  switch (tool) {
    case "note":
    case "failing": {
      const error = tool === "failing" ? "it did not work" : null;
      await journal.once(head, async () => ({ result: { error }, summary: key, artifacts: [], error }));
      return error === null ? "noted" : "not done";
    }
    case "write":
      await journal.write(head, async (writes) => {
        const id = world.random.id();
        await backend.write(writes, input.run, id, key);
        return { result: { id }, summary: key, artifacts: [{ kind: "document", id }] };
      });
      return "written";
    case "delegate": {
      const first = state.executors + 1;
      state.executors += 2;
      const both = await waitForAll([runExecutor(work, first), runExecutor(work, first + 1)], journal.signal);
      return both.map(({ kind }) => kind).join();
    }
    case "effect":
    case "repeatable_effect":
      return actOutside(work, head, tool === "repeatable_effect");
    case "lasting_effect":
      return (await journal.startOrAdopt(head, work.outside.lastingAs(work.actor, nameOf(work, key), input.run.fence)))
        .kind;
    case "forbidden":
      return "not allowed";
    case "end_iteration":
      return "ended";
    default:
      return `not known: ${tool satisfies never}`;
  }
}

type Head = { readonly key: string; readonly lane: Lane; readonly tool: string; readonly args: null };

const nameOf = <Writes>({ input: { run } }: Work<Writes>, key: string) => `${run.id}:${run.state.iteration}:${key}`;

async function actOutside<Writes>(work: Work<Writes>, head: Head, isRepeatable: boolean): Promise<string> {
  const { actor, outside, journal } = work;
  const op = nameOf(work, head.key);
  const done = await journal.effect(head, isRepeatable, (idempotencyKey) =>
    outside.act(actor, op, idempotencyKey, isRepeatable),
  );
  return done.kind;
}
