// The executor's part of the demo model: a look at what is there, a note about each line of its task, and a report.

import type { ExecutorView } from "../../domain/planner/view.ts";
import type { ModelRequest, PlainAnswer } from "../model.ts";
import { aspectsFor, composeNote, labelLine, labelPage, toStrand } from "./compose.ts";
import { callAll, type DoneCall, madeId, readConversation, unfence } from "./conversation.ts";
import { plainWords, shorten } from "./phrase.ts";
import { type Reading, readObjective } from "./read-objective.ts";

const titlesMax = 6;

export function executeByRules(view: ExecutorView, { messages, tools }: ModelRequest): PlainAnswer {
  const reading = readObjective(view.objective);
  const { calls } = readConversation(messages);
  const titles = titlesIn(view);
  const has = (tool: string) => tools.some(({ name }) => name === tool);
  const search = { tool: "search", args: { query: shorten(titles[0] ?? reading.name, 80), limit: 5 } };
  if (calls.length === 0 && has("search")) return callAll(messages, [search]);
  const writes = calls.filter(({ tool }) => tool !== "search");
  const isTried = (tool: string) => writes.some((done) => done.tool === tool);
  const next = ["write_note", "create_document"].find((tool) => has(tool) && !isTried(tool));
  if (next === undefined || writes.some((done) => madeId(done) !== null))
    return { text: report(reading, titles, writes), toolCalls: [] };
  const content = labelPage(reading, composeNote(reading, titles));
  return callAll(messages, [{ tool: next, args: { title: toStrand(reading, titles).note, content } }]);
}

/** The lines of a list in the task, else its title. */
function titlesIn({ task }: ExecutorView): readonly string[] {
  const lines = task.instructions.split("\n").flatMap((line) => /^\s*[-*] (.+)$/.exec(line)?.[1] ?? []);
  const titles = lines.length > 0 ? lines : [task.title];
  return titles.map((title) => shorten(plainWords(title), 120)).slice(0, titlesMax);
}

function report(reading: Reading, titles: readonly string[], writes: readonly DoneCall[]): string {
  const { say } = reading;
  const id = writes.flatMap((done) => madeId(done) ?? [])[0];
  const why = shorten(unfence(writes.at(-1)?.reply?.text ?? ""), 300);
  const written = id === undefined ? say("unwritten", { why }) : say("written", { id });
  const own = aspectsFor(reading).flatMap((aspect) => (titles.includes(aspect.title) ? aspect.points : []));
  const points = (own.length > 0 ? own : titles).slice(0, 4).join(" ");
  return labelLine(reading, say("report", { titles: titles.join("; "), written, points }));
}
