// The executor's part of the demo model: a section for each side it was given, written to its page; then a word about it. Its
// own results come back to it as messages, so what failed is written elsewhere, once.

import type { ExecutorView } from "../../domain/planner/view.ts";
import type { ModelMessage, ModelRequest, PlainAnswer, ToolCall, ToolReply } from "../model.ts";
import { facetCalled, facetsOf, spoken } from "./choose-facets.ts";
import { demoLabel } from "./demo-label.ts";
import type { Facet } from "./facets/facet.ts";
import { count, listed, pick, shorten } from "./phrase.ts";
import { type Reading, readObjective } from "./read-objective.ts";
import { answerSection, sectionOf } from "./write-section.ts";

/** What an engine takes at once. */
const sectionsMax = 5;

export function executeByRules(view: ExecutorView, { messages, tools }: ModelRequest): PlainAnswer {
  const reading = readObjective(view.objective);
  const sections = sectionsFor(view, reading);
  const replies = repliesIn(messages);
  const names = tools.map(({ name }) => name);
  const may = (tool: string) => names.length === 0 || names.includes(tool);
  // What waits for approval is best a page of its own: nothing that is added to its page meanwhile gets in its way.
  const isStaged = view.permission.writeMode === "per_write";
  const canAppend = may("append_document") && view.branchDocumentId !== "" && !isStaged;
  if (replies.length === 0) {
    const calls = canAppend ? appends(view, sections) : notes(view, sections, may, 0);
    if (calls.length > 0) return { text: "", toolCalls: calls };
    return said(`Nothing could be written about ${reading.topic}: none of the tools for pages may be used here.`);
  }
  const failed = replies.filter(({ isError }) => isError);
  const isSecond = replies.some(({ callId }) => callId.startsWith("demo-2"));
  if (failed.length > 0 && !isSecond) {
    const lost = sections.filter((_, n) => failed.some(({ callId }) => callId === `demo-1-${n + 1}`));
    const calls = notes(view, lost, may, 1);
    if (calls.length > 0) return { text: "", toolCalls: calls };
  }
  return said(reportOf(reading, sections, replies));
}

const said = (text: string): PlainAnswer => ({ text, toolCalls: [] });

type Section = { readonly facet: Facet; readonly text: string };

function sectionsFor({ task, objective }: ExecutorView, reading: Reading): readonly Section[] {
  const listedTitles = task.instructions.split("\n").flatMap((line) => /^- (.+)$/.exec(line)?.[1] ?? []);
  const known = facetsOf(reading).map(({ title }) => title);
  const isOurs = listedTitles.length > 0 && listedTitles.every((title) => known.includes(title));
  if (isOurs)
    return listedTitles.slice(0, sectionsMax).map((title) => {
      const facet = facetCalled(title, reading);
      return { facet, text: sectionOf(facet, reading, known.indexOf(title)) };
    });
  const words = listedTitles[0] ?? (task.title.trim() || objective);
  const facet = facetCalled(shorten(words.replaceAll(/[,;]/g, ""), 58), reading);
  return [{ facet, text: answerSection(shorten(words, 600), facet, reading) }];
}

/** The label stands on a page once: behind its last section. */
const withLabel = (sections: readonly Section[], n: number): string =>
  n === sections.length - 1 ? `${sections[n]?.text ?? ""}\n\n${demoLabel}` : (sections[n]?.text ?? "");

const appends = ({ branchDocumentId }: ExecutorView, sections: readonly Section[]): readonly ToolCall[] =>
  sections.map((_, n) => ({
    callId: `demo-1-${n + 1}`,
    tool: "append_document",
    args: { id: branchDocumentId, text: withLabel(sections, n) },
  }));

/** A page for each section, where there is no page to write to, or it takes nothing. */
function notes(
  view: ExecutorView,
  sections: readonly Section[],
  may: (tool: string) => boolean,
  round: 0 | 1,
): readonly ToolCall[] {
  const tool = may("write_note") && (round === 0 || view.branchDocumentId !== "") ? "write_note" : "create_document";
  if (!may(tool)) return [];
  const place = tool === "create_document" ? { project_id: view.workspace.projectId } : {};
  return sections.map(({ facet, text }, n) => ({
    callId: `demo-${round + 1}-${n + 1}`,
    tool,
    args: { ...place, title: facet.title, content: `${text}\n\n${demoLabel}` },
  }));
}

const repliesIn = (messages: readonly ModelMessage[]): readonly ToolReply[] =>
  messages.flatMap((message) => (message.role === "tool" ? message.results : []));

function reportOf(reading: Reading, sections: readonly Section[], replies: readonly ToolReply[]): string {
  const titles = listed(sections.map(({ facet }) => spoken(facet.title, reading)));
  const written = replies.filter(({ isError }) => !isError).length;
  if (written === 0) return `Nothing could be written about ${titles}: ${shorten(replies[0]?.text ?? "", 300)}`;
  const [first] = sections;
  const questions = sections.reduce((sum, { facet }) => sum + facet.questions.length, 0);
  const most = first
    ? pick([first.facet.questions[0] ?? "", ...first.facet.questions.slice(1)], reading.seed >>> 4)
    : "";
  const kept = written < sections.length ? ` ${count(sections.length - written, "section")} could not be written.` : "";
  return `Wrote about ${titles} for ${reading.topic}: ${count(questions, "question")} to answer, with options, first steps, risks and a checklist.${kept} The question to settle first: ${most.replaceAll("{topic}", reading.topic)}`;
}
