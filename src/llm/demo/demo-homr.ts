// The demo model as HOMЯ: it looks at the work on a task, puts a doubt into a question, and reviews the whole. It counts what is there
// and who waits for it; what the work is worth it does not know, and says so.

import { z } from "zod";
import type { OutcomeState } from "../../domain/homr/outcome-state.ts";
import { isOpenTask, type OutcomeTask } from "../../domain/homr/task.ts";
import { labelLine } from "./compose.ts";
import { countWords, listed, shorten } from "./phrase.ts";
import { readObjective } from "./read-objective.ts";
import type { Say } from "./words.ts";

type View<Kind extends string, Facts> = { readonly kind: Kind; readonly state: OutcomeState } & Facts;
type ObservedView = View<
  "observer",
  { readonly taskId: string; readonly result: string; readonly why: string; readonly output: string }
>;
type DoubtView = View<"escalation", { readonly need: { readonly evidence: readonly string[] } }>;
type QuestionView = View<"resolver", { readonly escalationId: string }>;
type ReviewView = View<
  "outcome_review",
  {
    readonly work: {
      readonly tasks: readonly {
        readonly number: number;
        readonly title: string;
        readonly artifacts: readonly { readonly text: string }[];
      }[];
    };
  }
>;
type HomrView = ObservedView | DoubtView | QuestionView | ReviewView;

/** Our own jobs made it; that it is about an outcome at all is what is looked at. */
const homrView = z.looseObject({
  kind: z.enum(["observer", "escalation", "resolver", "outcome_review"]),
  state: z.looseObject({
    outcome: z.looseObject({ brief: z.string(), name: z.string() }),
    tasks: z.array(z.unknown()),
  }),
});
export const isHomrView = (view: unknown): view is HomrView => homrView.safeParse(view).success;

export function answerAsHomr(view: HomrView): object {
  const { brief, name } = view.state.outcome;
  const reading = readObjective(brief.trim() === "" ? name : brief);
  const byRules = (text: string) => labelLine(reading, text);
  switch (view.kind) {
    case "observer":
      return observe(view, reading.say, byRules);
    case "escalation":
      return putQuestion(view, reading.say);
    case "resolver":
      return choose(view, byRules(reading.say("homr-unknown")));
    default:
      return review(view, reading.say, byRules);
  }
}

type Label = (text: string) => string;

/** Of completed work with a page, and of any other. */
const scores = { written: 85, unwritten: 60, failed: 40 } as const;

function observe(view: ObservedView, say: Say, byRules: Label) {
  const { state, taskId, result, why, output } = view;
  const task = state.tasks.find(({ id }) => id === taskId);
  const number = task?.number ?? 0;
  if (result !== "completed") {
    const failed = say("homr-failed", { number });
    const issue = { description: failed, severity: "medium", evidence: shorten(why, 300) };
    const summary = byRules(`${failed}.`);
    return {
      ...nothing,
      onTrack: false,
      alignmentScore: scores.failed,
      quality: "needs_work",
      issues: [issue],
      summary,
    };
  }
  const pages = findPages(output);
  const isWritten = pages.length > 0;
  const waiting = state.tasks.filter((each) => isOpenTask(each) && each.dependsOn.some((id) => id === taskId));
  return {
    ...nothing,
    alignmentScore: isWritten ? scores.written : scores.unwritten,
    quality: isWritten ? "good" : "needs_work",
    discoveries: pages.slice(0, 1).flatMap((page) => share(page, waiting, say)),
    ambiguity: findDoubt(view, waiting, number, say),
    summary: byRules(say("homr-done", { n: countWords(output), pages: pages.length })),
  };
}

const nothing = { onTrack: true, drift: [], issues: [], discoveries: [], decisions: [], ambiguity: null, wishes: [] };

type Page = { readonly title: string; readonly headings: readonly string[] };

/** Pages that the output shows, with their headings. */
function findPages(output: string): readonly Page[] {
  const [, ...parts] = output.split(/^### document "/m);
  return parts.map((part) => {
    const [, title = ""] = /^(.*)", \w/.exec(part) ?? [];
    const headings = [...part.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => shorten(heading, 80));
    return { title: shorten(title, 200), headings };
  });
}

/** A page that several others build on: they are told of it. What only one waits for, that one finds by itself. */
function share({ title, headings }: Page, waiting: readonly OutcomeTask[], say: Say) {
  if (waiting.length < 2) return [];
  const sections = listed(headings.slice(0, 6), say("and"));
  return [
    {
      type: "dependency",
      content: say("homr-basis", { title, sections: sections || title }),
      relevantTasks: waiting.map(({ number }) => number),
      source: title,
    },
  ];
}

/** Questions that the work leaves open, put to a person once, before the task that has to settle them. */
function findDoubt({ state, output }: ObservedView, waiting: readonly OutcomeTask[], number: number, say: Say) {
  const [next, ...others] = waiting;
  const open = findQuestions(output);
  const isDecided = state.context.decisions.some(({ madeBy }) => madeBy !== "worker") || state.escalations.length > 0;
  if (next === undefined || others.length > 0 || open.length === 0 || isDecided) return null;
  return {
    type: "multiple_approaches",
    description: say("homr-doubt", { number }),
    evidence: open,
    affectedTasks: [next.number],
    suggestedQuestion: say("homr-which"),
  };
}

const questionsMax = 3;

/** As the run listed them at its end. */
function findQuestions(output: string): readonly string[] {
  const [, part = ""] = /^## Open questions\n((?:- .*\n?)+)/m.exec(output) ?? [];
  return [...part.matchAll(/^- (.*\?)\s*$/gm)].map(([, line = ""]) => shorten(line, 200)).slice(0, questionsMax);
}

/** Each question that is open may come first; or none. */
function putQuestion({ need }: DoubtView, say: Say) {
  const open = need.evidence.filter((line) => line.trim().endsWith("?")).slice(0, questionsMax);
  const first = open.map((words, n) => ({
    id: `first_${n + 1}`,
    label: shorten(words, 150),
    description: say("homr-first"),
    implications: say("homr-first-then"),
  }));
  const drafted = {
    id: "as_drafted",
    label: say("homr-drafted"),
    description: say("homr-drafted-means"),
    implications: say("homr-drafted-then"),
  };
  const guided = {
    id: "decide_there",
    label: say("homr-there"),
    description: say("homr-there-means"),
    implications: say("homr-first-then"),
  };
  const options = [...first, drafted];
  return {
    question: say("homr-which"),
    options: options.length > 1 ? options : [drafted, guided],
    recommended: null,
  };
}

/** Below every threshold one would set: rules cannot know what a person wants. */
const unsure = 0.3;

function choose({ state, escalationId }: QuestionView, reason: string) {
  const asked = state.escalations.find(({ id }) => id === escalationId);
  return { option: asked?.options[0]?.id ?? "none", confidence: unsure, reason };
}

/** Tasks without any text, and what a text leaves open. */
function review({ work }: ReviewView, say: Say, byRules: Label) {
  const findings = work.tasks.flatMap(({ number, title, artifacts }) => {
    const text = artifacts.map((artifact) => artifact.text).join("\n");
    const what = { number, title: shorten(title, 120) };
    if (countWords(text) === 0)
      return [{ description: say("homr-empty", what), severity: "high", evidence: say("homr-nothing") }];
    const [open] = /\b(?:TODO|TBD|lorem ipsum)\b/i.exec(text) ?? [];
    return open === undefined
      ? []
      : [{ description: say("homr-placeholder", what), severity: "medium", evidence: open }];
  });
  return { findings, summary: byRules(say("homr-reviewed", { n: work.tasks.length, findings: findings.length })) };
}
