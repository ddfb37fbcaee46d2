// How the planner of rules ends a session: done only if every step has something to show; else with what remains, and with a
// question where it cannot get on.

import { aspectsFor, composeAnswer, documentTitle, labelLine, wordsMax } from "./compose.ts";
import { isStaged, unfence, type Wanted } from "./conversation.ts";
import { type Desk, findAnswer, isOpen } from "./desk.ts";
import { listed, shorten } from "./phrase.ts";
import { callsFor, progress, type Step, setPlan } from "./progress.ts";
import { findPage, findThing, listThings, tasksFor } from "./things.ts";
import type { Facts } from "./words.ts";

export function conclude(desk: Desk): readonly Wanted[] {
  const { session, reading } = desk;
  const { say } = reading;
  const steps = progress(desk);
  const plan = setPlan(desk, steps);
  const staged = session.calls.filter(isStaged).length;
  if (staged > 0) return [...plan, endOpen(desk, steps, say("staged", { n: staged }))];
  const question = findTrouble(desk, steps);
  if (question !== null) return [...plan, question, endOpen(desk, steps, say("asked"))];
  if (steps.some(({ status }) => status !== "done") || findBeyond(desk).length > 0)
    return [...plan, endOpen(desk, steps)];
  const titles = steps.filter(({ id }) => !/^(?:look|project)/.test(id)).map(({ title }) => title);
  const made = listed(titles.slice(0, 4), say("and")) || documentTitle(reading);
  return [...plan, end(desk, true, say("finished", { made }), [])];
}

/** What it cannot do alone, asked once. */
function findTrouble(desk: Desk, steps: readonly Step[]): Wanted | null {
  const things = listThings(desk).filter((thing) => findThing(desk, thing) === null);
  const blocked = things.filter((thing) => callsFor(desk, thing).length > 1);
  const why = shorten(unfence(blocked.flatMap((thing) => callsFor(desk, thing)).at(-1)?.reply?.text ?? ""), 300);
  const titles = shorten(blocked.map(({ title }) => title).join("; "), 300);
  if (titles !== "" && findAnswer(desk, "ask-blocked") === null) return ask(desk, "ask-blocked", { titles, why });
  const beyond = findBeyond(desk);
  if (steps.some(isOpen) || beyond.length === 0 || findAnswer(desk, "ask-beyond") !== null) return null;
  return ask(desk, "ask-beyond", { titles: shorten(beyond.join("; "), 600) });
}

/** What rules cannot do: files, commands, sources, more words than the tables have. */
const findBeyond = ({ wishes, reading }: Desk): readonly string[] =>
  wishes.flatMap((wish) => {
    const isTooMuch = wish.kind === "document" && (wish.sources > 0 || wish.missing > wordsMax(reading));
    return wish.kind === "beyond" || isTooMuch ? [wish.about] : [];
  });

export function ask({ reading }: Desk, name: string, facts: Facts = {}): Wanted {
  const { say } = reading;
  const aspects = aspectsFor(reading).map(({ title }) => title);
  const options = name === "ask-first" ? aspects.slice(0, 3) : [say("again"), say("leave"), say("stop")];
  return { tool: "ask_user", args: { questions: [{ text: shorten(say(name, facts), 1_500), options }] } };
}

export function endOpen(desk: Desk, steps: readonly Step[], summary = sayOpen(desk, steps)): Wanted {
  const { say } = desk.reading;
  const open = steps.filter(isOpen).map(({ title }) => title);
  const dropped = steps.filter(({ status }) => status === "dropped").map(({ title }) => say("dropped", { title }));
  const beyond = findBeyond(desk).map((about) => say("impossible", { about }));
  const remaining = [...open, ...dropped, ...beyond].map((line) => shorten(line, 400)).slice(0, 40);
  return end(desk, false, summary, remaining.length > 0 ? remaining : [say("step-checks")]);
}

function sayOpen(desk: Desk, steps: readonly Step[]): string {
  const { say } = desk.reading;
  const titles = listThings(desk).flatMap(({ strand }) => strand?.titles ?? []);
  return desk.session.calls.some(({ tool }) => tool === "delegate")
    ? say("researched", { titles: titles.join("; ") })
    : say("partly", { n: steps.filter(({ status }) => status !== "done").length });
}

const questionsMax = 3;

function end(desk: Desk, isDone: boolean, summary: string, remaining: readonly string[]): Wanted {
  const { reading, said } = desk;
  const page = findPage(desk);
  const ids = isDone ? listThings(desk).flatMap((thing) => findThing(desk, thing) ?? []) : [];
  const title = page === null ? (tasksFor(desk)[0]?.title ?? reading.name) : documentTitle(reading);
  const aspects = aspectsFor(reading);
  const questions = aspects.flatMap(({ points }) => points.slice(0, aspects.length < 3 ? questionsMax : 1));
  return {
    tool: "end_iteration",
    args: {
      exit_signal: isDone,
      progress_summary: labelLine(reading, shorten(summary, 800)),
      remaining_work: remaining,
      completion_evidence: [...new Set(ids)].slice(0, 40),
      primary_output: page ?? ids[0] ?? null,
      open_questions: isDone ? questions.slice(0, questionsMax) : [],
      unsure: isDone ? [reading.say("unsure")] : [],
      honoured: said.map(({ words }) => ({ message: words, how: reading.say("how", { title }) })),
    },
  };
}

export function endAnswered(desk: Desk): Wanted {
  const words = desk.said.map((each) => each.words);
  const { tool, args } = end(desk, true, desk.reading.say("answered"), []);
  return { tool, args: { ...args, primary_output: null, answer: composeAnswer(desk.reading, words) } };
}
