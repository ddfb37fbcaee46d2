// What a run of the demo should have made in the end, thing by thing, and which of it is there already. Everything the planner
// does follows from the difference.

import {
  composeHeadings,
  composeMore,
  composeNote,
  composePage,
  composeTasks,
  documentTitle,
  findStrands,
  hasTasks,
  labelLine,
  noteTitle,
  saidText,
  section,
  strandTitle,
  wordsMax,
} from "./compose.ts";
import { findReported, madeId } from "./conversation.ts";
import { type Desk, hasAnswered } from "./desk.ts";
import { capital, fill, shorten } from "./phrase.ts";
import type { Wish } from "./read-checks.ts";

export type Thing = {
  readonly stepId: string;
  /** As tools call it; `append` adds a section to a document. */
  readonly kind: "project" | "note" | "append" | "document" | "task" | "goal" | "plan" | "milestone";
  readonly title: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Of a section: what a page that has it contains. */
  readonly core?: string;
  /** The task an executor gets for it. */
  readonly strand?: { readonly title: string; readonly titles: readonly string[] };
};

const documentStep = ({ view }: Desk): string => (hasAnswered(view) ? "answer" : "document");

export function listThings(desk: Desk): readonly Thing[] {
  const { reading, may, mayMakeProject, view } = desk;
  if (reading.shape === "question") return [...saidThings(desk), ...mendThings(desk)];
  const hasOwnProject = mayMakeProject || view.plan.some(({ id }) => id === "project");
  const project: Thing = {
    stepId: "project",
    kind: "project",
    title: reading.name,
    args: { name: reading.name, description: labelLine(reading, reading.quote) },
  };
  const mayNote = may("write_note") || may("create_document");
  return [
    ...(hasOwnProject ? [project] : []),
    ...(mayNote ? findStrands(reading) : []).map((titles, n): Thing => {
      const title = noteTitle(reading, titles);
      const strand = { title: strandTitle(reading, titles), titles };
      return {
        stepId: `look-${n + 1}`,
        kind: "note",
        title,
        args: { title, content: composeNote(reading, titles) },
        strand,
      };
    }),
    ...(hasPage(desk) ? [pageThing(desk)] : []),
    ...(may("create_task") ? tasksFor(desk) : []).map(
      (task): Thing => ({ stepId: "tasks", kind: "task", title: task.title, args: { ...task } }),
    ),
    ...desk.wishes.flatMap((wish) => (wish.isRed ? [] : wishThings(desk, wish, "checks"))),
    ...saidThings(desk),
    ...mendThings(desk),
  ];
}

export const hasPage = ({ reading, may }: Desk): boolean => reading.shape !== "tasks" && may("create_document");

/** What a check of the user asks for counts, if it is more. */
export function tasksFor({ reading, wishes }: Desk) {
  const asked = wishes.flatMap((wish) =>
    wish.kind === "count" && wish.entity === "task" && !wish.isRed ? [wish.missing] : [],
  );
  const least = Math.max(0, ...asked);
  if (!hasTasks(reading) && least === 0) return [];
  const usual = composeTasks(reading, reading.tasksWanted);
  return least > usual.length || !hasTasks(reading) ? composeTasks(reading, least) : usual;
}

function pageThing(desk: Desk): Thing {
  const { reading, wishes, said, may } = desk;
  const title = documentTitle(reading);
  const own = wishes.flatMap((wish) =>
    wish.kind === "document" && isAboutPage(desk, wish) && !wish.isThere ? [wish] : [],
  );
  const content = composePage(reading, {
    headings: [...new Set(own.flatMap(({ headings }) => headings))],
    words: Math.min(wordsMax(reading), Math.max(0, ...own.map((wish) => wish.words))),
    said: said.map((each) => each.words),
    tasks: may("create_task") ? [] : tasksFor(desk),
  });
  return { stepId: documentStep(desk), kind: "document", title, args: { title, content } };
}

type DocumentWish = Extract<Wish, { kind: "document" }>;

const isAboutPage = (desk: Desk, { which }: DocumentWish): boolean =>
  hasPage(desk) && documentTitle(desk.reading).toLowerCase().includes(which.toLowerCase());

/** What a check asks for besides the page itself. */
function wishThings(desk: Desk, wish: Wish, stepId: string): readonly Thing[] {
  const { reading, text, may } = desk;
  const description = labelLine(reading, fill(text.madeFor, { topic: reading.topic }));
  const toThing = (kind: string, title: string): readonly Thing[] =>
    isKind(kind) && may(`create_${kind}`)
      ? [
          {
            stepId,
            kind,
            title,
            args: kind === "document" ? { title, content: pageFor(title) } : { title, description },
          },
        ]
      : [];
  const pageFor = (title: string) => [composeNote(reading, [title]), ...composeMore(reading, 60, 0)].join("\n\n");
  switch (wish.kind) {
    case "named":
      return toThing(wish.entity, wish.title);
    case "count": {
      if (wish.entity === "task" && !wish.isRed) return [];
      const titles = composeTasks(reading, 30 + wish.missing).slice(wish.entity === "task" ? -wish.missing : 0);
      return titles.slice(0, wish.missing).flatMap(({ title }) => toThing(wish.entity, title));
    }
    case "document":
      return documentThings(desk, wish, stepId);
    default:
      return [];
  }
}

const isKind = (kind: string): kind is "document" | "task" | "goal" | "plan" | "milestone" =>
  ["document", "task", "goal", "plan", "milestone"].includes(kind);

function documentThings(desk: Desk, wish: DocumentWish, stepId: string): readonly Thing[] {
  const { reading, may, view } = desk;
  const isId = /^[0-9a-f-]{36}$/.test(wish.which);
  const target = isId ? wish.which : isAboutPage(desk, wish) ? findPage(desk) : null;
  const sections = [
    ...composeHeadings(reading, wish.headings),
    ...composeMore(reading, wish.words, view.iteration * 3),
  ];
  const more = [section(fill(desk.text.more, { n: String(view.iteration) })), ...sections].join("\n\n");
  if (target !== null && sections.length > 0) return [appendTo(target, more, stepId)];
  if (isId || isAboutPage(desk, wish) || !may("create_document")) return [];
  const title = capital(wish.which) || documentTitle(reading);
  const found = desk.session.listed.find((each) => each.kind === "document" && isSame(each.title, title));
  if (wish.isThere) return found && sections.length > 0 ? [appendTo(found.id, more, stepId)] : [];
  const content = [
    composeNote(reading, wish.headings.length > 0 ? wish.headings : [title]),
    ...composeMore(reading, wish.words, 0),
  ];
  return [{ stepId, kind: "document", title, args: { title, content: content.join("\n\n") } }];
}

const appendTo = (id: string, text: string, stepId: string): Thing => ({
  stepId,
  kind: "append",
  title: text.split("\n", 1)[0] ?? "",
  args: { id, text },
  core: text,
});

/** Words of the user stand on the page, and are a task where there are tasks. */
function saidThings(desk: Desk): readonly Thing[] {
  const { said, reading, text, may } = desk;
  const page = findPage(desk);
  return said.flatMap(({ stepId, words }): readonly Thing[] => {
    const core = saidText(reading, words);
    const heading = `${text.headings.added}: ${shorten(words, 60)}`;
    const title = shorten(fill(text.saidTask, { words }), 200);
    return [
      ...(page === null ? [] : [{ ...appendTo(page, section(heading, core), stepId), core }]),
      ...(may("create_task") && tasksFor(desk).length > 0
        ? [
            {
              stepId,
              kind: "task" as const,
              title,
              args: { title, description: labelLine(reading, core), priority: 1 },
            },
          ]
        : []),
    ];
  });
}

/** What the last look at the work found. */
function mendThings(desk: Desk): readonly Thing[] {
  const { wishes, view, text, reading, may } = desk;
  const stepId = `mend-${view.iteration}`;
  const page = findPage(desk);
  const findings = wishes.flatMap((wish) => (wish.kind === "judged" ? wish.findings : []));
  const lines = findings.map((finding) => `- ${shorten(finding, 400)}`).join("\n");
  const heading = `${text.missing} (${view.iteration})`;
  const mended = [section(heading, lines), ...composeMore(reading, 60, view.iteration * 5)].join("\n\n");
  const judged: readonly Thing[] =
    findings.length === 0
      ? []
      : page !== null
        ? [appendTo(page, mended, stepId)]
        : may("create_document")
          ? [{ stepId, kind: "document", title: heading, args: { title: heading, content: mended } }]
          : [];
  return [...judged, ...wishes.flatMap((wish) => (wish.isRed ? wishThings(desk, wish, stepId) : []))];
}

/** Titles are shown cut. */
const shownTitle = 60;
const isSame = (shown: string, title: string): boolean =>
  shown.slice(0, shownTitle).replace(/…$/, "") === title.slice(0, shownTitle).replace(/…$/, "");

/** The page there is, from before this session or made in it. */
export function findPage(desk: Desk): string | null {
  if (desk.reading.shape === "tasks") return null;
  const title = documentTitle(desk.reading);
  return findMade(desk, "document", title) ?? findEvidence(desk, documentStep(desk), "document", title);
}

function findMade({ session }: Desk, kind: string, title: string): string | null {
  const tools = kind === "note" ? ["write_note", "create_document"] : [`create_${kind}`];
  const own = session.calls.filter(({ tool, args }) => tools.includes(tool) && (args.title ?? args.name) === title);
  const listed = session.listed.find(
    (each) => each.kind === (kind === "note" ? "document" : kind) && isSame(each.title, title),
  );
  return own.flatMap((call) => madeId(call) ?? [])[0] ?? listed?.id ?? null;
}

/** What an earlier iteration left behind, unless a check has seen that it is gone. */
function findEvidence({ view, wishes }: Desk, stepId: string, kind: string, title: string): string | null {
  const isGone = wishes.some(
    (wish) => wish.kind === "document" && wish.isRed && !wish.isThere && title.includes(wish.which),
  );
  if (isGone && kind === "document") return null;
  const step = view.plan.find(({ id }) => id === stepId);
  const last = view.lastIteration?.artifacts.find((each) => each.kind === kind && isSame(each.title, title))?.id;
  return last ?? (step?.status === "done" ? (step.evidence.find((ref) => ref.kind === kind)?.id ?? null) : null);
}

/** The id of a thing that is there, or of the page a section stands on. */
export function findThing(desk: Desk, thing: Thing): string | null {
  const { session, projectId, view } = desk;
  const { kind, title, stepId, core } = thing;
  if (kind === "project") return projectId;
  if (kind === "append") {
    const holds = session.calls.filter(({ args }) => `${args.content ?? ""}${args.text ?? ""}`.includes(core ?? title));
    const isDone = view.plan.some(({ id, status }) => id === stepId && status === "done");
    return holds.flatMap((call) => madeId(call) ?? [])[0] ?? (isDone ? String(thing.args.id) : null);
  }
  const stored = kind === "note" ? "document" : kind;
  const reported = thing.strand ? findReported(session.calls, thing.strand.title) : null;
  return reported ?? findMade(desk, kind, title) ?? findEvidence(desk, stepId, stored, title);
}
