// The executor's part of the demo model: a look at what is there, a note about each line of its task, and a report.

import type { ExecutorView } from "../../domain/planner/view.ts";
import type { ModelRequest, PlainAnswer } from "../model.ts";
import { aspectsFor, composeNote, labelLine, noteTitle, wordsFor } from "./compose.ts";
import { type DoneCall, madeId, readConversation } from "./conversation.ts";
import { fill, listed, plainWords, shorten } from "./phrase.ts";
import { type Reading, readObjective } from "./read-objective.ts";

const titlesMax = 6;

export function executeByRules(view: ExecutorView, { messages, tools }: ModelRequest): PlainAnswer {
  const reading = readObjective(view.objective);
  const { calls } = readConversation(messages);
  const titles = titlesIn(view);
  const has = (tool: string) => tools.some(({ name }) => name === tool);
  const call = (tool: string, args: object): PlainAnswer => ({
    text: "",
    toolCalls: [{ callId: `demo-${messages.length}-1`, tool, args }],
  });
  if (calls.length === 0 && has("search"))
    return call("search", { query: shorten(titles[0] ?? reading.name, 80), limit: 5 });
  const writes = calls.filter(({ tool }) => tool === "write_note" || tool === "create_document");
  const wanted = ["write_note", "create_document"].filter(
    (tool) => has(tool) && !writes.some((done) => done.tool === tool),
  );
  const isWritten = writes.some((done) => madeId(done) !== null);
  const content = composeNote(reading, titles);
  const title = noteTitle(reading, titles);
  if (!isWritten && wanted[0] !== undefined) return call(wanted[0], { title, content });
  return { text: report(reading, titles, writes), toolCalls: [] };
}

/** The lines of a list in the task, else its title. */
function titlesIn({ task }: ExecutorView): readonly string[] {
  const lines = task.instructions.split("\n").flatMap((line) => /^\s*[-*] (.+)$/.exec(line)?.[1] ?? []);
  const titles = lines.length > 0 ? lines : [task.title];
  return titles.map((title) => shorten(plainWords(title), 120)).slice(0, titlesMax);
}

function report(reading: Reading, titles: readonly string[], writes: readonly DoneCall[]): string {
  const text = wordsFor(reading);
  const id = writes.flatMap((done) => madeId(done) ?? [])[0];
  const why = shorten((writes.at(-1)?.reply?.text ?? "").replaceAll(/<<<[^\n]*>>>/g, " "), 300);
  const written = id === undefined ? fill(text.unwritten, { why }) : fill(text.written, { id });
  const points = aspectsFor(reading)
    .filter(({ title }) => titles.includes(title))
    .flatMap((aspect) => aspect.points);
  const facts = {
    topic: reading.topic,
    titles: listed(titles, text.and),
    written,
    points: points.slice(0, 4).join(" ") || titles.join("; "),
  };
  return labelLine(reading, fill(text.report, facts));
}
