// What one iteration of the demo does: the first part of the plan that is still open. Where something was tried and nothing
// came of it, it is done another way, never the same way again.

import type { PlannerAnswer } from "../../domain/planner/answer.ts";
import type { PlannerView } from "../../domain/planner/view.ts";
import { facetsOf, groupsOf, spoken, tasksOf } from "./choose-facets.ts";
import { labelled } from "./demo-label.ts";
import type { Facet, FacetTask } from "./facets/facet.ts";
import { count, fill, listed, shorten } from "./phrase.ts";
import type { Means } from "./plan-means.ts";
import type { Promised } from "./plan-proposal.ts";
import { isSaid, saidIn } from "./plan-said.ts";
import { groupTitle, isOpen, researchId, type Step, stepIds, wasTried } from "./plan-steps.ts";
import type { Reading } from "./read-objective.ts";
import { briefPage, briefTitle, overviewPage, overviewTitle, taskListPage, taskListTitle } from "./write-pages.ts";
import { sectionOf } from "./write-section.ts";

export type Call = PlannerAnswer["tool_calls"][number];
export type Delegated = PlannerAnswer["executor_tasks"][number];

export type Work = {
  readonly stepIds: readonly string[];
  readonly calls: readonly Call[];
  readonly delegated: readonly Delegated[];
  /** In a sentence, for the timeline. */
  readonly said: string;
};

export type Desk = {
  readonly view: PlannerView;
  readonly reading: Reading;
  readonly means: Means;
  readonly steps: readonly Step[];
  readonly promised: Promised;
};

/** Null where no step is open. */
export function nextWork(desk: Desk): Work | null {
  return brief(desk) ?? research(desk) ?? said(desk) ?? tasks(desk) ?? overview(desk);
}

const find = ({ steps }: Desk, id: string): Step | undefined => steps.find((step) => step.id === id && isOpen(step));
const call = (tool: string, args: Call["args"], stepId: string | null, why: string): Call => ({
  tool,
  args,
  step_id: stepId,
  why,
});

/** A page by whatever means there are; the second way where the first one failed, and told apart by its place. */
export function pageCall({ means, view }: Desk, page: Page): Call | null {
  const inProject = {
    project_id: page.projectId ?? view.workspace.projectId,
    title: page.title,
    content: page.content,
  };
  const ways = [
    ...(page.projectId !== null && means.may("create_document") ? [{ tool: "create_document", args: inProject }] : []),
    ...(means.may("write_note") ? [{ tool: "write_note", args: { title: page.title, content: page.content } }] : []),
    ...(page.projectId === null && means.may("create_document") ? [{ tool: "create_document", args: inProject }] : []),
  ];
  const failed = (view.lastIteration?.toolResults ?? []).filter(({ ok }) => !ok).map(({ tool }) => tool);
  const another = page.isRetried ? ways.find(({ tool }) => !failed.includes(tool)) : ways[0];
  const way = another ?? ways[view.iteration % Math.max(1, ways.length)];
  if (way === undefined) return null;
  const args = another ? way.args : { ...way.args, title: `${page.title} (again)` };
  return call(way.tool, args, page.stepId, page.why);
}

type Page = {
  readonly title: string;
  readonly content: string;
  /** Null: in the run's workspace. */
  readonly projectId: string | null;
  readonly stepId: string | null;
  readonly why: string;
  readonly isRetried: boolean;
};

function brief(desk: Desk): Work | null {
  const step = find(desk, stepIds.brief);
  if (!step) return null;
  const { reading, promised } = desk;
  const page = pageCall(desk, {
    title: briefTitle(reading),
    content: briefPage(
      reading,
      promised.deliverables.map(({ title }) => title),
    ),
    projectId: null,
    stepId: step.id,
    why: "So that it can be seen how the objective was understood",
    isRetried: wasTried(step),
  });
  const calls = [...projectCall(desk), ...(page ? [page] : [])];
  return work([step.id], calls, `Read the objective as ${reading.topic} and wrote down what it is going to look into.`);
}

/** Over everything, the work gets a project of its own. */
export function projectCall({ means, reading }: Desk): readonly Call[] {
  if (means.projectId !== null || !means.mayMakeProject) return [];
  const description = `${reading.quote.slice(0, 400)} (Set up by the demo model: rules, no AI.)`;
  return [call("create_project", { name: reading.name, description }, stepIds.brief, "Tasks and pages need a project")];
}

const work = (
  ids: readonly string[],
  calls: readonly Call[],
  told: string,
  delegated: readonly Delegated[] = [],
): Work => ({
  stepIds: ids,
  calls,
  delegated,
  said: told,
});

function research(desk: Desk): Work | null {
  const groups = groupsOf(facetsOf(desk.reading));
  const open = groups.flatMap((group, n) => {
    const step = find(desk, researchId(n));
    return step ? [{ step, group }] : [];
  });
  if (open.length === 0) return null;
  const again = open.filter(({ step }) => wasTried(step));
  const sides = listed(open.flatMap(({ group }) => group.map(({ title }) => spoken(title, desk.reading))));
  const many = open.flatMap(({ group }) => group).length;
  const told = `Looked into ${count(many, "aspect")} in ${count(open.length, "branch", "branches")}: ${sides}.`;
  const ids = open.map(({ step }) => step.id);
  if (again.length > 0 && hasPages(desk)) {
    const calls = open.flatMap(({ step, group }) => notesCall(desk, step, group));
    return work(ids, calls, `${told} The branches brought nothing before, so it wrote the pages itself.`);
  }
  return work(
    ids,
    goalCall(desk),
    told,
    open.map(({ step, group }) => delegate(desk.reading, step.id, group)),
  );
}

const hasPages = ({ means }: Desk) => means.may("write_note") || means.may("create_document");

function notesCall(desk: Desk, step: Step, group: readonly Facet[]): readonly Call[] {
  const content = labelled(group.map((facet, n) => sectionOf(facet, desk.reading, n)).join("\n\n"));
  const title = groupTitle(group);
  const made = pageCall(desk, { title, content, projectId: null, stepId: step.id, why: "", isRetried: true });
  return made ? [made] : [];
}

function goalCall({ means, reading, view }: Desk): readonly Call[] {
  if (means.projectId === null || !means.may("create_goal") || (view.lastIteration?.iteration ?? 0) > 1) return [];
  const args = {
    project_id: means.projectId,
    title: reading.name,
    description: `What the objective asks for: ${reading.quote.slice(0, 300)}`,
  };
  return [call("create_goal", args, null, "What the tasks are for")];
}

function delegate({ topic }: Reading, stepId: string, group: readonly Facet[]): Delegated {
  const title = groupTitle(group);
  return {
    title: shorten(title, 200),
    instructions: [
      `Look into these aspects of ${topic}:`,
      ...group.map((facet) => `- ${facet.title}`),
      "For each, write to your page: what it is about, questions to answer, options, first steps, what can go wrong, a checklist.",
    ].join("\n"),
    success: `Your page has a section for each of: ${group.map((facet) => facet.title).join("; ")}.`,
    step_id: stepId,
    tools: ["append_document", "write_note"],
  };
}

/** What the user said, and steps that somebody else wrote: each is looked into by itself. */
const saidAtOnce = 3;

function said(desk: Desk): Work | null {
  const ours: readonly string[] = [stepIds.brief, stepIds.tasks, stepIds.overview];
  const open = desk.steps
    .filter((step) => isOpen(step) && !ours.includes(step.id) && !/^research-\d+$/.test(step.id))
    .slice(0, saidAtOnce);
  if (open.length === 0) return null;
  const told = `Took up: ${listed(open.map((step) => `“${shorten(saidIn(step), 80)}”`))}.`;
  const ids = open.map(({ id }) => id);
  if (open.some(wasTried) && hasPages(desk))
    return work(
      ids,
      open.flatMap((step) => saidPage(desk, step)),
      told,
    );
  return work(
    ids,
    open.flatMap((step) => saidTask(desk, step)),
    told,
    open.map(delegateSaid),
  );
}

function saidPage(desk: Desk, step: Step): readonly Call[] {
  const words = saidIn(step);
  const content = labelled(`## ${shorten(words, 60)}\n\nThis was asked for while the run was working:\n\n> ${words}`);
  const title = shorten(words, 120);
  const made = pageCall(desk, { title, content, projectId: null, stepId: step.id, why: "", isRetried: true });
  return made ? [made] : [];
}

/** So that it is not only talked about. */
function saidTask({ means, reading }: Desk, step: Step): readonly Call[] {
  if (!isSaid(step) || means.projectId === null || !means.may("create_task")) return [];
  const words = saidIn(step);
  const args = {
    project_id: means.projectId,
    title: `Take up: ${shorten(words, 100)}`,
    description: `You wrote while the run was working: “${words}” Decide what it changes about ${reading.topic}, and who does it.`,
    priority: 2,
  };
  return [call("create_task", args, step.id, "You asked for it")];
}

const delegateSaid = (step: Step): Delegated => ({
  title: shorten(saidIn(step), 120),
  instructions: `Take up this point and write a section about it on your page:\n- ${saidIn(step)}`,
  success: "Your page has a section about it.",
  step_id: step.id,
  tools: ["append_document", "write_note"],
});

function tasks(desk: Desk): Work | null {
  const step = find(desk, stepIds.tasks);
  if (!step) return null;
  const { reading, means } = desk;
  if (!means.may("create_task")) return taskList(desk, step);
  if (means.projectId === null)
    return work([stepIds.brief], projectCall(desk), "Set up a project, as there is none to put the tasks into.");
  const wanted = tasksOf(reading);
  // Tried before and nothing came of it: fewer at once, the plainest form.
  const chosen = wasTried(step) ? wanted.slice(desk.view.iteration % 2, 5 + (desk.view.iteration % 2)) : wanted;
  const calls = chosen.map((task, n) => taskCall(desk, step, task, n === 0 && step.status === "pending"));
  return work([step.id], calls, `Turned the findings into ${count(calls.length, "task")} in the project.`);
}

/** The one mistake of a run, so that it can be seen how one is repaired: a priority in words instead of a number. */
const priorityWord = (priority: number): string => (priority <= 1 ? "urgent" : priority === 2 ? "high" : "normal");

export function taskCall({ reading, means }: Desk, step: Step | null, task: FacetTask, hasMistake: boolean): Call {
  const args = {
    project_id: means.projectId,
    title: task.title,
    description: fill(task.description, { topic: reading.short }),
    priority: hasMistake ? priorityWord(task.priority) : task.priority,
  };
  return call("create_task", args, step?.id ?? null, "A next step that someone can begin");
}

function taskList(desk: Desk, step: Step): Work {
  const title = taskListTitle(desk.reading);
  const page = { title, content: taskListPage(desk.reading), projectId: desk.means.projectId };
  const made = pageCall(desk, { ...page, stepId: step.id, why: "It may make no tasks", isRetried: wasTried(step) });
  // The same one mistake where there are no tasks to make it with: a field by the wrong name.
  const misnamed = ({ title: name, ...rest }: Call["args"]): Call["args"] => ({ name, ...rest });
  const calls = made === null ? [] : [step.status === "pending" ? { ...made, args: misnamed(made.args) } : made];
  return work([step.id], calls, "Wrote the list of tasks as a page, as it may not make tasks.");
}

function overview(desk: Desk): Work | null {
  const step = find(desk, stepIds.overview);
  if (!step) return null;
  const made = overviewCall(desk, step);
  return work(
    [step.id],
    [...(made ? [made] : []), ...links(desk)],
    "Wrote the summary page with the order of work, the tasks and the open questions.",
  );
}

export function overviewCall(desk: Desk, step: Step | null): Call | null {
  const { reading, steps, means } = desk;
  const notes = groupsOf(facetsOf(reading)).map(groupTitle);
  const words = steps.filter((each) => isSaid(each) && each.status === "done").map((each) => `“${saidIn(each)}”`);
  const page = {
    title: overviewTitle(reading),
    content: overviewPage(reading, { hasTasks: means.may("create_task"), notes, said: words }),
  };
  const why = "One page to begin from";
  return pageCall(desk, {
    ...page,
    projectId: means.projectId,
    stepId: step?.id ?? null,
    why,
    isRetried: step !== null && wasTried(step),
  });
}

/** Which page stands behind which task: the first ones of each, so that the graph shows where a task comes from. */
function links({ view, means }: Desk): readonly Call[] {
  if (!means.may("link")) return [];
  const evidence = (id: string, kind: string) =>
    (view.plan.find((step) => step.id === id)?.evidence ?? []).filter((ref) => ref.kind === kind).map((ref) => ref.id);
  const made = evidence(stepIds.tasks, "task");
  const pages = [0, 1, 2].flatMap((n) => evidence(researchId(n), "document").slice(0, 1));
  return pages.flatMap((page, n) => {
    const task = made[n];
    if (task === undefined) return [];
    return [
      call("link", { src_id: page, rel: "supports", dst_id: task }, null, "The page says where the task comes from"),
    ];
  });
}
