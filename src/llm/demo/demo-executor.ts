// The executor's part of the demo model: a note about each line of its task, and a report.

import type { ExecutorView } from "../../domain/planner/view.ts";
import type { ModelRequest, PlainAnswer } from "../model.ts";
import { composeNote } from "./compose.ts";
import { callAll, readConversation, unfence } from "./conversation.ts";
import { aspectsFor, readObjective } from "./read-objective.ts";
import { labelLine, plainWords, shorten } from "./text.ts";

const titlesMax = 6;

export function executeByRules({ objective, task }: ExecutorView, { messages, tools }: ModelRequest): PlainAnswer {
  const reading = readObjective(objective);
  const { calls } = readConversation(messages);
  const lines = [...task.instructions.matchAll(/^\s*[-*] (.+)$/gm)].map(([, line = ""]) => line);
  const asked = (lines.length > 0 ? lines : [task.title]).slice(0, titlesMax);
  const titles = asked.map((line) => shorten(plainWords(line), 120));
  const [written] = calls;
  const tool = ["write_note", "create_document"].find((each) => tools.some(({ name }) => name === each));
  const named = titles.join("; ");
  if (written === undefined && tool !== undefined) {
    const title = shorten(`Notes: ${named}`, 200);
    return callAll(messages, [{ tool, args: { title, content: composeNote(reading, titles) } }]);
  }
  const points = aspectsFor(reading).flatMap((aspect) => (titles.includes(aspect.title) ? aspect.points : []));
  const open = (points.length > 0 ? points : titles).slice(0, 4).join(" ");
  const note = shorten(unfence(written?.reply?.text ?? "No note could be written."), 300);
  const report = `Looked into ${named} for ${reading.topic}. ${note} What has to be settled first: ${open}`;
  return { text: labelLine(report), toolCalls: [] };
}
