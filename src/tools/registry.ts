// Which tools there are, and which of them a model is shown. What a run may not use is never shown; whether it may be used is
// decided again when it is called.

import { assert } from "../lib/assert.ts";
import { argsSchema, type JsonSchema } from "./args-schema.ts";
import type { Tool } from "./tool.ts";

export type ToolSelection = {
  /** 1: the few that every planner needs; 2: and those it chose or missed; 3: all. */
  readonly stage: 1 | 2 | 3;
  readonly chosen: readonly string[];
  /** Names that were called and not there, known or not. */
  readonly missed: readonly string[];
  /** What the user allows the run; null: everything. */
  readonly allowed: readonly string[] | null;
};

/** A tool as a model is shown it: what src/llm/ takes, said here because tools know no model. */
export type OfferedTool = { readonly name: string; readonly description: string; readonly schema: JsonSchema };

export type FoundTool = { readonly ok: true; readonly tool: Tool } | { readonly ok: false; readonly text: string };

export type Registry = {
  readonly all: readonly Tool[];
  /** Where no tool has that name: what to call instead. */
  readonly find: (name: string) => FoundTool;
  readonly offers: (selection: ToolSelection) => readonly OfferedTool[];
};

/** What every provider takes for a name. */
const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

export function makeRegistry(tools: readonly Tool[]): Registry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  assert(byName.size === tools.length, "no two tools have the same name");
  for (const { name } of tools) assert(namePattern.test(name), `a tool may be called ${name}`);
  const offerOf = new Map(tools.map((tool) => [tool.name, toOffer(tool)]));
  return {
    all: tools,
    find: (name) => {
      const tool = byName.get(name.trim());
      return tool ? { ok: true, tool } : { ok: false, text: unknownTool(name, [...byName.keys()]) };
    },
    offers: (selection) => selectTools(tools, selection).flatMap(({ name }) => offerOf.get(name) ?? []),
  };
}

/** In the order of the tools. An unknown name brings the tools with similar names. */
export function selectTools(tools: readonly Tool[], selection: ToolSelection): readonly Tool[] {
  const { stage, chosen, missed, allowed } = selection;
  const names = tools.map(({ name }) => name);
  const known = new Set(names);
  const wanted = new Set(
    stage === 1 ? [] : [...chosen, ...missed].flatMap((name) => (known.has(name) ? [name] : nearNames(name, names))),
  );
  return tools.filter(
    (tool) =>
      (allowed === null || allowed.includes(tool.name)) && (stage === 3 || tool.stage === 1 || wanted.has(tool.name)),
  );
}

/** A name as wrong as can be is still no reason for a long answer. */
const nameMax = 80;

function unknownTool(name: string, known: readonly string[]): string {
  const near = nearNames(name, known);
  const hint = near.length === 0 ? "Use only the tools that are listed." : `Did you mean ${near.join(", ")}?`;
  return `There is no tool ${name.slice(0, nameMax)}. ${hint}`;
}

/** Providers take a kilobyte; a model that needs more to use it will not. */
const descriptionMax = 1_000;

const toOffer = (tool: Tool): OfferedTool => ({
  name: tool.name,
  description: tool.description.slice(0, descriptionMax),
  schema: argsSchema(tool),
});

/** All that can be done with one kind of thing. */
const shownMax = 6;
/** Below this, two names have no more in common than any two words. */
const likenessMin = 0.35;

/** Which names someone may have meant: those that share the most pairs of letters with what they wrote. */
function nearNames(name: string, known: readonly string[]): readonly string[] {
  return known
    .map((candidate) => ({ candidate, likeness: likenessOf(name, candidate) }))
    .filter(({ likeness }) => likeness >= likenessMin)
    .sort((one, other) => other.likeness - one.likeness || (one.candidate < other.candidate ? -1 : 1))
    .slice(0, shownMax)
    .map(({ candidate }) => candidate);
}

/** 1 for the same name, 0 for nothing in common. */
function likenessOf(one: string, other: string): number {
  const mine = pairsOf(one);
  const theirs = pairsOf(other);
  if (mine.size + theirs.size === 0) return 0;
  const shared = [...mine].filter((pair) => theirs.has(pair)).length;
  return (2 * shared) / (mine.size + theirs.size);
}

/** A name has a few dozen letters; of more, the beginning tells enough. */
const lettersMax = 100;

function pairsOf(name: string): ReadonlySet<string> {
  const letters = `_${name
    .slice(0, lettersMax)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")}_`;
  return new Set(Array.from(letters.slice(1), (letter, at) => `${letters[at]}${letter}`));
}
