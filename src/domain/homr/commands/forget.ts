// Takes what turned out to be wrong out of all that the tasks of an outcome know: the sentence goes from every list it was passed on
// to. What prompts said before stays in their receipts; the next ones do not say it.

import type { OutcomeContext } from "../context/context.ts";
import { sameWords } from "../context/learn.ts";
import type { HomrWorld, OutcomeState } from "../outcome-state.ts";
import { shorten } from "../tasks/task-list.ts";
import { type Commanded, carryOn, logCommand, refuse } from "./command.ts";
import { isOfPerson } from "./outcome-commands.ts";

type Item = { readonly id: string; readonly content: string };

/** One item, and the same words elsewhere. */
export function forgetItem(state: OutcomeState, itemId: string, world: HomrWorld): Commanded {
  const item = itemsOf(state.context).find(({ id }) => id === itemId);
  if (item === undefined) return refuse("The tasks of the outcome do not know this any more");
  return forget(state, [item], `Took out: ${shorten(item.content, 200)}`, world);
}

/** What was offered from a memory that its owner has deleted; nothing changes where it was not offered. */
export function forgetMemory(state: OutcomeState, memoryId: string, world: HomrWorld): Commanded {
  const offered = state.context.discoveries.filter((each) => each.memoryId === memoryId);
  if (offered.length === 0) return { isDone: true, move: { state, effects: [] } };
  return forget(state, offered, "Took out a memory that you deleted", world);
}

/** What was offered from a memory says what its owner has made of it. A person wrote that: it is no stranger's text. */
export function correctMemory(state: OutcomeState, memoryId: string, content: string, world: HomrWorld): Commanded {
  const offered = state.context.discoveries.find((each) => each.memoryId === memoryId);
  if (offered === undefined || offered.content === content) return { isDone: true, move: { state, effects: [] } };
  const context = without(state.context, [offered]);
  const corrected = { ...offered, content, isTainted: false };
  const after = { ...state, context: { ...context, discoveries: [...context.discoveries, corrected] } };
  return carryOn({ state: after, effects: [logCommand("Corrected a memory that you changed")] }, world);
}

export const itemsOf = ({ discoveries, decisions, constraints, injections }: OutcomeContext): readonly Item[] => [
  ...discoveries,
  ...decisions,
  ...constraints,
  ...injections,
];

function forget(state: OutcomeState, items: readonly Item[], said: string, world: HomrWorld): Commanded {
  return carryOn({ state: { ...state, context: without(state.context, items) }, effects: [logCommand(said)] }, world);
}

/** What a person said stays, unless it is the very item. */
function without(context: OutcomeContext, items: readonly Item[]): OutcomeContext {
  const ids = new Set(items.map(({ id }) => id));
  const words = new Set(items.map(({ content }) => sameWords(content)));
  const stays = ({ id, content }: Item) => !ids.has(id) && !words.has(sameWords(content));
  return {
    ...context,
    discoveries: context.discoveries.filter(stays),
    decisions: context.decisions.filter((each) => stays(each) || (each.madeBy === "human" && !ids.has(each.id))),
    constraints: context.constraints.filter(stays),
    injections: context.injections.filter((each) => stays(each) || (isOfPerson(each) && !ids.has(each.id))),
  };
}
