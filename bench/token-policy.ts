// The scripted model of the token bench. It decides by what it has been shown, and the same way on both sides: it looks for documents
// whose ids it does not know, opens those it has not read, writes, looks at what came of it, and ends. A planner follows its rules beside
// that: plan and checks go out with the first writing, and the end is said with end_iteration.

import type { LabReply, LabRequest, LabToolCall } from "../test/lab/lab-protocol.ts";
import { callTool } from "../test/lab/script.ts";
import type { Errand } from "./token-errands.ts";

export type Role = "planner" | "executor" | "judge" | "summary" | "bare";

export function roleOf({ system, tools }: LabRequest): Role {
  if (tools.includes("end_iteration")) return "planner";
  if (system.startsWith("You carry out one task")) return "executor";
  if (system.startsWith("You judge")) return "judge";
  return tools.length > 0 ? "bare" : "summary";
}

export function answer(request: LabRequest, errand: Errand): LabReply {
  const role = roleOf(request);
  if (role === "judge") return { text: judgeWork(request) };
  if (role === "executor") return { text: "The offers were compared; the second one is the cheaper by far." };
  if (role === "summary") return { text: "The run did what was asked for. ".repeat(4) };
  const calls = chooseCalls(request, errand);
  if (role === "bare") return calls.length === 0 ? { text: errand.summary } : { toolCalls: calls };
  if (calls.length === 0) return { toolCalls: endSession(errand) };
  const isFirstWriting = calls.some(isWriting) && countWriting(request) === 0;
  return { toolCalls: isFirstWriting ? [...promise(errand), ...calls] : calls };
}

/** Documents that are opened in one answer. */
const openedAtOnce = 3;

function chooseCalls(request: LabRequest, { documents, writing }: Errand): readonly LabToolCall[] {
  const shown = request.turns
    .flatMap(({ role, text, results }) => (role === "assistant" ? [] : [text, ...results.map((result) => result.text)]))
    .join("\n");
  if (documents.some(({ title }) => findId(shown, title) === "")) return [callTool("list_documents", {})];
  const unread = documents.filter(({ content }) => !shown.includes(content.trim()));
  if (unread.length > 0)
    return unread.slice(0, openedAtOnce).map(({ title }) => callTool("get_document", { id: findId(shown, title) }));
  return writing[countWriting(request)]?.((title) => findId(shown, title)) ?? [];
}

/** As an opening, a list and the answer to a creation name a document: its id, then its title. Empty where none did. */
const findId = (shown: string, title: string): string =>
  new RegExp(`([0-9a-f]{8}-[0-9a-f-]{27})[^"\\n]{0,20}"${title}"`).exec(shown)?.[1] ?? "";

const isWriting = ({ name }: { readonly name: string }) => /^(create|append|edit)_|^delegate$/.test(name);

const countWriting = ({ turns }: LabRequest): number =>
  turns.filter(({ toolCalls }) => toolCalls.some(isWriting)).length;

/** The beginning of the work is quoted, as the judge has to. */
function judgeWork({ turns }: LabRequest): string {
  const work = /from "work">>>\n([\s\S]*?)\n<<<end/.exec(turns.at(-1)?.text ?? "")?.[1] ?? "";
  const quote = (work.split("\n").find((line) => !line.startsWith("Title:") && line.length > 20) ?? work).slice(0, 60);
  return JSON.stringify({ complete: true, score: 0.9, missing: [], quotes: [quote] });
}

const promise = ({ check }: Errand): readonly LabToolCall[] => [
  callTool("update_plan", { steps: [{ id: "s1", title: "Do what is asked for", status: "in_progress" }] }),
  callTool("propose_checks", {
    deliverables: [{ id: "d1", title: "What was asked for" }],
    checks: [{ id: "c1", deliverable_id: "d1", ...check }],
  }),
];

const endSession = ({ summary }: Errand): readonly LabToolCall[] => [
  callTool("update_plan", { steps: [{ id: "s1", status: "done" }] }),
  callTool("end_iteration", { exit_signal: true, progress_summary: summary, summary }),
];
