// A model asked from inside an iteration: through the journal, so it is asked and paid for once. A fault that only time or
// the user can mend ends the iteration; it is not the run's doing.

import type { z } from "zod";
import { clipLine } from "../domain/planner/clip.ts";
import type { ProviderFault } from "../domain/run/iteration-result.ts";
import { unreachable } from "../lib/assert.ts";
import { askModel } from "../llm/ask-model.ts";
import type { CutOff, ModelAnswer, ModelFault, ModelRequest } from "../llm/model.ts";
import { prefer } from "../llm/prefer.ts";
import { askForObject } from "../llm/structured.ts";
import type { Iteration } from "./iteration.ts";

/** Thrown through the parts of an iteration; the engine answers with the fault. */
export class Held extends Error {
  readonly fault: ProviderFault;
  constructor(fault: ProviderFault) {
    super(fault.why);
    this.name = "Held";
    this.fault = fault;
  }
}

/** An outage: every model of the role failed, each of them several times. */
const outageMs = 60_000;

function heldBy(fault: ModelFault, nowMs: number): ProviderFault | null {
  switch (fault.kind) {
    case "limit":
      return { kind: "hold", untilMs: fault.untilMs, why: fault.why };
    case "transient":
      return { kind: "hold", untilMs: nowMs + outageMs, why: fault.why };
    case "auth":
    case "quota":
      return { kind: fault.kind, why: fault.why };
    case "refused":
    case "too_long":
    case "filtered":
      return null;
    default:
      return unreachable(fault);
  }
}

export type Asked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

type Asking = Pick<Iteration, "models" | "journal" | "env" | "run">;

const common = ({ models, journal, env, run }: Asking, key: string, request: ModelRequest) => ({
  models: prefer(models, run.models),
  journal,
  env,
  key,
  request,
});

const describe = (why: string) =>
  `Your answer could not be used:\n${why}\nAnswer again with the whole JSON object, and nothing else.`;

export async function ask(it: Asking, key: string, request: ModelRequest): Promise<Asked<ModelAnswer>> {
  const asked = await askModel(common(it, key, request));
  if (asked.kind === "answered") return { ok: true, value: asked.answer };
  return asked.kind === "cut_off" ? brokeOff(asked) : failed(it, asked.fault);
}

export async function askObject<T>(
  it: Asking,
  key: string,
  request: ModelRequest,
  schema: z.ZodType<T>,
): Promise<Asked<T>> {
  const asked = await askForObject({ ...common(it, key, request), schema, describe });
  switch (asked.kind) {
    case "object":
      return { ok: true, value: asked.object };
    case "malformed":
      return { ok: false, why: `the answer could not be read: ${clipLine(asked.why, 300)}` };
    case "cut_off":
      return brokeOff(asked);
    case "fault":
      return failed(it, asked.fault);
    default:
      return unreachable(asked);
  }
}

function failed({ env }: Asking, fault: ModelFault): { readonly ok: false; readonly why: string } {
  const held = heldBy(fault, env.now());
  if (held !== null) throw new Held(held);
  return { ok: false, why: `${refusals[fault.kind] ?? "the model's provider refused the request"}: ${fault.why}` };
}

const refusals: Readonly<Partial<Record<ModelFault["kind"], string>>> = {
  too_long: "the prompt is too long for the model",
  filtered: "the model's provider filtered the content",
};

const brokeOff = ({ why, outputTokens }: CutOff): { readonly ok: false; readonly why: string } => ({
  ok: false,
  why: `the answer broke off after ${outputTokens} tokens: ${why}`,
});
