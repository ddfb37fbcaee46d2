// What a run of the demo should have made in the end, thing by thing, and which of it is there already. Everything the planner
// does follows from the difference.

import { type EntityKind, entityKinds } from "../../domain/entity/kinds.ts";
import * as compose from "./compose.ts";
import { findReported, madeId } from "./conversation.ts";
import { type Desk, hasAnswered, projectName } from "./desk.ts";
import { capital, shorten } from "./phrase.ts";
import type { Wish } from "./read-checks.ts";

export type Thing = {
  readonly stepId: string;
  /** `append` adds a section to a document. */
  readonly kind: "project" | "note" | "append" | EntityKind;
  readonly title: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Of a section: what a page that has it contains. */
  readonly core?: string;
  /** Who looks into it first. */
  readonly strand?: compose.Strand;
};

const documentStep = ({ view }: Desk): string => (hasAnswered(view) ? "answer" : "document");
function toThing(stepId: string, kind: Thing["kind"], title: string, args: object): Thing {
  return { stepId, kind, title, args: { title, ...args } };
}

export function listThings(desk: Desk): readonly Thing[] {
  const { reading, may, mayMakeProject, view, wishes } = desk;
  if (reading.shape === "question") return [...saidThings(desk), ...mendThings(desk)];
  const hasOwnProject = mayMakeProject || view.plan.some(({ id }) => id === "project");
  const name = projectName(desk);
  const project = { name, description: compose.labelLine(reading, reading.quote) };
  // One question about all writes is enough: where each is asked for, it works alone.
  const mayDelegate = view.permission.writeMode !== "per_write" && (may("write_note") || may("create_document"));
  const strands = mayDelegate ? compose.findStrands(reading) : [];
  return [
    ...(hasOwnProject ? [{ stepId: "project", kind: "project" as const, title: name, args: project }] : []),
    ...strands.map((strand, n): Thing => {
      const content = compose.labelPage(reading, compose.composeNote(reading, strand.titles));
      return { ...toThing(`look-${n + 1}`, "note", strand.note, { content }), strand };
    }),
    ...(hasPage(desk) ? [toThing(documentStep(desk), "document", compose.documentTitle(reading), pageArgs(desk))] : []),
    ...tasksFor(desk).map((task) => toThing("tasks", "task", task.title, task)),
    ...wishes.flatMap((wish) => (wish.isRed ? [] : wishThings(desk, wish, "checks"))),
    ...saidThings(desk),
    ...mendThings(desk),
  ];
}

export const hasPage = ({ reading, may }: Desk): boolean => reading.shape !== "tasks" && may("create_document");

/** What a check of the user asks for counts, if it is more. */
export function tasksFor({ reading, wishes, may }: Desk): readonly compose.NewTask[] {
  const isTasks = (wish: Wish) => wish.kind === "count" && wish.entity === "task" && !wish.isRed;
  const asked = Math.max(0, ...wishes.filter(isTasks).map(({ missing }) => missing));
  const usual = compose.hasTasks(reading) ? compose.composeTasks(reading, reading.tasksWanted) : [];
  if (!may("create_task")) return [];
  return asked > usual.length ? compose.composeTasks(reading, asked) : usual;
}

function pageArgs(desk: Desk): object {
  const { reading, wishes, said, outcome } = desk;
  const open = wishes.filter((wish) => isAboutPage(desk, wish) && !wish.isThere);
  const headings = [...new Set(open.flatMap((wish) => wish.headings))];
  const words = Math.min(compose.wordsMax(reading), Math.max(0, ...open.map(({ missing }) => missing)));
  return {
    content: compose.composePage(reading, {
      headings,
      words,
      said: said.map((each) => each.words),
      known: outcome?.known ?? [],
    }),
  };
}

function isAboutPage(desk: Desk, { kind, which }: Wish): boolean {
  const title = compose.documentTitle(desk.reading).toLowerCase();
  return kind === "document" && hasPage(desk) && title.includes(which.toLowerCase());
}

/** What a check asks for besides the page itself. */
function wishThings(desk: Desk, wish: Wish, stepId: string): readonly Thing[] {
  const { reading, may } = desk;
  const kind = entityKinds.find((each) => each === wish.entity);
  const isNamed = wish.kind === "named";
  if (isNamed && kind === "document") return documentThings(desk, { ...wish, missing: 60 }, stepId);
  if (wish.kind === "document") return documentThings(desk, wish, stepId);
  const isCounted = wish.kind === "count" && wish.missing > 0 && (kind !== "task" || wish.isRed);
  if (kind === undefined || !may(`create_${kind}`) || !(isNamed || isCounted)) return [];
  // Those at the end of the tables are not among the usual ones.
  const titles = isNamed ? [wish.which] : compose.composeTasks(reading, 60).map(({ title }) => title);
  const args = { description: compose.labelLine(reading, reading.say("made-for")) };
  return titles.slice(-wish.missing || -1).map((title) => toThing(stepId, kind, title, args));
}

function documentThings(desk: Desk, wish: Wish, stepId: string): readonly Thing[] {
  const { reading, view, session } = desk;
  const isPage = isAboutPage(desk, wish);
  // What the page is written with needs no section of its own.
  if ((isPage && !wish.isThere) || !desk.may("create_document")) return [];
  const title = capital(wish.which) || compose.documentTitle(reading);
  const listed = session.listed.find((each) => each.kind === "document" && isSame(each.title, title))?.id ?? null;
  const target = /^[0-9a-f-]{36}$/.test(wish.which) ? wish.which : isPage ? findPage(desk) : listed;
  const more = compose.composeMore(reading, wish.missing, view.iteration * 3);
  const sections = [...compose.composeHeadings(reading, wish.headings), ...more];
  const heading = compose.section(reading.say("more", { n: view.iteration }));
  if (target !== null && sections.length > 0 && (wish.isThere || target === wish.which))
    return [appendTo(target, [heading, ...sections], stepId)];
  const own = wish.headings.length > 0 ? [] : compose.composeHeadings(reading, [title]);
  return [toThing(stepId, "document", title, { content: compose.labelPage(reading, [...own, ...sections]) })];
}

function appendTo(id: string, parts: readonly string[], stepId: string, core = parts.join("\n\n")): Thing {
  return { stepId, kind: "append", title: parts[0] ?? "", args: { id, text: parts.join("\n\n") }, core };
}

/** Words of the user stand on the page, and are a task where there are tasks. */
function saidThings(desk: Desk): readonly Thing[] {
  const { said, reading } = desk;
  const page = findPage(desk);
  return said.flatMap(({ stepId, words }): readonly Thing[] => {
    const core = reading.say("said", { words });
    const part = compose.section(`${reading.say("added")}: ${shorten(words, 60)}`, core);
    const title = shorten(reading.say("said-task", { words }), 200);
    const task = toThing(stepId, "task", title, { description: compose.labelLine(reading, core), priority: 1 });
    const added = page === null ? [] : [appendTo(page, [part], stepId, core)];
    return tasksFor(desk).length === 0 ? added : [...added, task];
  });
}

/** What the last look at the work found. */
function mendThings(desk: Desk): readonly Thing[] {
  const { wishes, view, reading, may } = desk;
  const stepId = `mend-${view.iteration}`;
  const findings = wishes.flatMap((wish) => wish.findings);
  const red = wishes.flatMap((wish) => (wish.isRed ? wishThings(desk, wish, stepId) : []));
  if (findings.length === 0) return red;
  const page = findPage(desk);
  const title = reading.say("missing", { n: view.iteration });
  const lines = findings.map((finding) => `- ${shorten(finding, 400)}`).join("\n");
  const parts = [compose.section(title, lines), ...compose.composeMore(reading, 60, view.iteration * 5)];
  if (page !== null) return [...red, appendTo(page, parts, stepId)];
  return may("create_document") ? [...red, toThing(stepId, "document", title, { content: parts.join("\n\n") })] : red;
}

/** Titles are shown cut. */
const isSame = (shown: string, title: string): boolean => shown.slice(0, 50) === title.slice(0, 50);

/** The page there is, from before this session or made in it. */
export function findPage(desk: Desk): string | null {
  if (desk.reading.shape === "tasks") return null;
  const title = compose.documentTitle(desk.reading);
  return findMade(desk, "document", title) ?? findEvidence(desk, documentStep(desk), "document", title);
}

function findMade({ session }: Desk, kind: Thing["kind"], title: string): string | null {
  const tools = kind === "note" ? ["write_note", "create_document"] : [`create_${kind}`];
  const stored = kind === "note" ? "document" : kind;
  const own = session.calls.filter(({ tool, args }) => tools.includes(tool) && args.title === title);
  const listed = session.listed.find((each) => each.kind === stored && isSame(each.title, title));
  return own.flatMap((call) => madeId(call) ?? [])[0] ?? listed?.id ?? null;
}

/** What an earlier iteration left behind, unless a check has seen that it is gone. */
function findEvidence({ view, wishes }: Desk, stepId: string, kind: Thing["kind"], title: string): string | null {
  const stored = kind === "note" ? "document" : kind;
  const isGone = (wish: Wish) => wish.kind === "document" && wish.isRed && !wish.isThere && title.includes(wish.which);
  if (wishes.some(isGone)) return null;
  const step = view.plan.find(({ id, status }) => id === stepId && status === "done");
  const last = view.lastIteration?.artifacts.find((each) => each.kind === stored && isSame(each.title, title));
  return last?.id ?? step?.evidence.find((ref) => ref.kind === stored)?.id ?? null;
}

/** The id of a thing that is there, or of the page a section stands on. */
export function findThing(desk: Desk, { kind, title, stepId, core = title, args, strand }: Thing): string | null {
  const { session, projectId, view } = desk;
  if (kind === "project") return projectId;
  if (kind === "append") {
    const holds = session.calls.filter((call) => `${call.args.content ?? ""}${call.args.text ?? ""}`.includes(core));
    const isDone = view.plan.some(({ id, status }) => id === stepId && status === "done");
    return holds.flatMap((call) => madeId(call) ?? [])[0] ?? (isDone ? String(args.id) : null);
  }
  const reported = strand === undefined ? null : findReported(session.calls, strand.title);
  return reported ?? findMade(desk, kind, title) ?? findEvidence(desk, stepId, kind, title);
}
