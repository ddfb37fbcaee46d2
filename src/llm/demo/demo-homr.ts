// The demo model as HOMЯ: it looks at the work on a task, puts a doubt into a question, and reviews the whole. It counts what is there
// and who waits for it; what the work is worth it does not know, and says so.

import { z } from "zod";
import type { OutcomeState } from "../../domain/homr/outcome-state.ts";
import { isOpenTask } from "../../domain/homr/tasks/task.ts";
import { countWords, labelLine, listed, shorten } from "./text.ts";

const text = z.string();
const reviewed = z.object({ number: z.number(), title: text, artifacts: z.array(z.object({ text })) });
/** Our own jobs made the state of the outcome; that it is about one at all is what is looked at. */
const state = z.custom<OutcomeState>(
  (given) => z.looseObject({ tasks: z.array(z.unknown()) }).safeParse(given).success,
);
export const homrView = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("observer"), state, taskId: text, result: text, why: text, output: text }),
  z.object({ kind: z.literal("escalation"), need: z.object({ evidence: z.array(text) }) }),
  z.object({ kind: z.literal("resolver"), state, escalationId: text }),
  z.object({ kind: z.literal("outcome_review"), work: z.object({ tasks: z.array(reviewed) }) }),
]);
type HomrView = z.output<typeof homrView>;
type View<Kind> = Extract<HomrView, { readonly kind: Kind }>;

export function answerAsHomr(view: HomrView): object {
  if (view.kind === "observer") return observe(view);
  if (view.kind === "escalation") return putQuestion(view);
  return view.kind === "resolver" ? choose(view) : review(view);
}

const nothing = { onTrack: true, drift: [], issues: [], discoveries: [], decisions: [], ambiguity: null, wishes: [] };

function observe({ state, taskId, result, why, output }: View<"observer">) {
  const number = state.tasks.find(({ id }) => id === taskId)?.number ?? 0;
  if (result !== "completed") {
    const description = `The attempt at task #${number} led to nothing`;
    const issues = [{ description, severity: "medium", evidence: shorten(why, 300) }];
    const summary = labelLine(`${description}.`);
    return { ...nothing, onTrack: false, alignmentScore: 40, quality: "needs_work", issues, summary };
  }
  const [page] = output.matchAll(/^### document "(.*)", \w/gm);
  const waiting = state.tasks.filter((task) => isOpenTask(task) && task.dependsOn.some((id) => id === taskId));
  const numbers = waiting.map((task) => task.number);
  const counted = `Words of output: ${countWords(output)}. Nothing was judged but what can be counted.`;
  return {
    ...nothing,
    alignmentScore: page === undefined ? 60 : 85,
    quality: page === undefined ? "needs_work" : "good",
    // What only one task waits for, that task finds by itself.
    discoveries: page !== undefined && numbers.length > 1 ? [share(page[1] ?? "", output, numbers)] : [],
    ambiguity: numbers.length === 1 ? findDoubt(state, number, output, numbers) : null,
    summary: labelLine(counted),
  };
}

/** A page that several others build on. */
function share(title: string, output: string, relevantTasks: readonly number[]) {
  const headings = [...output.slice(output.indexOf("### document")).matchAll(/^## (.+)$/gm)];
  const sections = listed(headings.slice(0, 6).map(([, heading = ""]) => shorten(heading, 80)));
  const source = shorten(title, 200);
  const content = `“${source}” is there for the others to build on; it covers ${sections || source}`;
  return { type: "dependency", content, relevantTasks, source };
}

const questionsMax = 3;
const whichFirst = "Which of the open questions should the rest of the work settle first?";

/** Questions that the work leaves open, put to a person once, before the task that has to settle them. */
function findDoubt(state: OutcomeState, number: number, output: string, affectedTasks: readonly number[]) {
  const [, part = ""] = /^## Open questions\n((?:- .*\n?)+)/m.exec(output) ?? [];
  const open = [...part.matchAll(/^- (.*\?)\s*$/gm)].map(([, line = ""]) => shorten(line, 200)).slice(0, questionsMax);
  const isDecided = state.context.decisions.some(({ madeBy }) => madeBy !== "worker") || state.escalations.length > 0;
  const description = `Task #${number} leaves questions open that only you can answer`;
  const doubt = { type: "multiple_approaches", description, evidence: open, affectedTasks };
  return open.length === 0 || isDecided ? null : { ...doubt, suggestedQuestion: whichFirst };
}

/** Each question that is open may come first; or none. */
function putQuestion({ need }: View<"escalation">) {
  const open = need.evidence.filter((line) => line.trim().endsWith("?")).slice(0, questionsMax);
  const implications = "The other questions stay on the page as they are";
  const first = open.map((line, n) => ({
    id: `first_${n + 1}`,
    label: shorten(line, 150),
    description: "Settled first",
  }));
  const drafted = { id: "as_drafted", label: "Go on as drafted", description: "All questions stay open" };
  const there = { id: "decide_there", label: "Let the next task decide", description: "It takes the plainest reading" };
  const options = open.length > 0 ? [...first, drafted] : [drafted, there];
  return { question: whichFirst, options: options.map((each) => ({ ...each, implications })), recommended: null };
}

/** Rules cannot know what a person wants: the confidence is below every threshold one would set. */
function choose({ state, escalationId }: View<"resolver">) {
  const asked = state.escalations.find(({ id }) => id === escalationId);
  const reason = labelLine("Rules cannot know what you want.");
  return { option: asked?.options[0]?.id ?? "none", confidence: 0.3, reason };
}

/** Tasks without any text, and what a text leaves open. */
function review({ work }: View<"outcome_review">) {
  const findings = work.tasks.flatMap(({ number, title, artifacts }) => {
    const whole = artifacts.map((artifact) => artifact.text).join("\n");
    const what = `task #${number}, “${shorten(title, 120)}”`;
    if (countWords(whole) === 0)
      return [{ description: `Nothing was written for ${what}`, severity: "high", evidence: "no page" }];
    const [open] = /\b(?:TODO|TBD|lorem ipsum)\b/i.exec(whole) ?? [];
    return open ? [{ description: `${what} has placeholders`, severity: "medium", evidence: open }] : [];
  });
  const counted = `Looked at the work on ${work.tasks.length} tasks; findings: ${findings.length}.`;
  return { findings, summary: labelLine(counted) };
}
