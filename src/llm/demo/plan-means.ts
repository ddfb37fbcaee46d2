// What a planner of rules has to work with: the tools it may use, the project it works in, and what became of what it tried
// last. Read from the view alone; ids that are not in it do not exist.

import type { PlannerView, ToolResultLine } from "../../domain/planner/view.ts";

export type Means = {
  readonly may: (tool: string) => boolean;
  /** Where tasks and the overview go; null where one has to be made first. */
  readonly projectId: string | null;
  readonly mayMakeProject: boolean;
  /** The project of the scope is gone, and no other may be made. */
  readonly isHomeless: boolean;
};

const idPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

export function meansOf(view: PlannerView): Means {
  const { allowedTools } = view.permission;
  const may = (tool: string) => allowedTools === null || allowedTools.includes(tool);
  const gone = goneProjects(view);
  const known = candidates(view).find((id) => !gone.has(id)) ?? null;
  // A project that the user turned down together with the brief is not proposed again.
  const isUnwanted = view.plan.some(({ id, status }) => id === "brief" && status === "dropped");
  const mayMakeProject = view.scope.kind === "global" && may("create_project") && !isUnwanted;
  const projectId = known ?? (mayMakeProject || gone.has(view.workspace.projectId) ? null : view.workspace.projectId);
  return { may, projectId, mayMakeProject, isHomeless: projectId === null && !mayMakeProject };
}

/** What was made just now, what the run made for itself, what it was given. */
function candidates({ plan, lastIteration, scope, workspace }: PlannerView): readonly string[] {
  const made = plan.flatMap(({ evidence }) => evidence.filter(({ kind }) => kind === "project").map(({ id }) => id));
  const last = (lastIteration?.artifacts ?? []).filter(({ kind }) => kind === "project").map(({ id }) => id);
  const staged = idsMade(lastIteration?.toolResults ?? [], "create_project");
  const given = scope.kind === "global" ? [] : scope.projects.filter(({ id }) => id !== workspace.projectId);
  return [...last, ...staged, ...made.toReversed(), ...given.map(({ id }) => id)];
}

function goneProjects({ lastIteration }: PlannerView): ReadonlySet<string> {
  const failed = (lastIteration?.toolResults ?? []).filter(({ ok }) => !ok);
  const texts = failed.filter(
    ({ snippet }) => /\bproject\b/i.test(snippet) && /\bbin\b|there is no|only look/i.test(snippet),
  );
  return new Set(texts.flatMap(({ snippet }) => snippet.toLowerCase().match(idPattern) ?? []));
}

/** Tools say which id they made; a staged write says it, too, before it is done. */
export function idsMade(lines: readonly ToolResultLine[], tool: string, title?: string): readonly string[] {
  const own = lines.filter((line) => line.ok && line.tool === tool && (title === undefined || isAbout(line, title)));
  return own.flatMap(({ snippet }) => snippet.toLowerCase().match(idPattern)?.slice(0, 1) ?? []);
}

/** Arguments are shown cut, so the beginning of a title has to do. */
const titleShown = 60;
const isAbout = ({ args }: ToolResultLine, title: string): boolean =>
  args.includes(`title=${title.replaceAll(/\s+/g, " ").trim().slice(0, titleShown)}`);
