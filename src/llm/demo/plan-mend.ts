// What to do about checks that are red: read what was looked for and what was seen, and add what is missing. What rules cannot
// do is said plainly and asked about once; it is never claimed.

import { entityKinds } from "../../domain/entity/kinds.ts";
import type { CheckLine } from "../../domain/planner/view.ts";
import { facetCalled, tasksOf } from "./choose-facets.ts";
import { labelled } from "./demo-label.ts";
import { stepIds } from "./plan-steps.ts";
import { type Call, type Desk, overviewCall, pageCall, projectCall, taskCall } from "./plan-work.ts";
import { moreAbout } from "./write-more.ts";
import { overviewTitle } from "./write-pages.ts";
import { sectionOf } from "./write-section.ts";

export type Mended = { readonly calls: readonly Call[]; readonly impossible: readonly string[] };

const callsMax = 8;
/** A page and a little more than what was asked for. */
const spareWords = 40;

/** The plan's own check turns green by the work itself. */
const isPlanCheck = ({ id, about }: CheckLine): boolean =>
  id === "plan_complete" || /every step of the plan/.test(about);
export const redChecks = (checks: readonly CheckLine[]): readonly CheckLine[] =>
  checks.filter((check) => check.isGreen === false && !isPlanCheck(check));

export function mend(desk: Desk): Mended {
  if (desk.means.projectId === null) return { calls: projectCall(desk), impossible: [] };
  const calls: Call[] = [];
  const impossible: string[] = [];
  for (const check of redChecks(desk.view.checks)) {
    const found = mendOne(desk, check);
    if (found.length === 0) impossible.push(check.about);
    calls.push(...found);
  }
  // Two checks may miss the same page.
  const distinct = [...new Map(calls.map((each) => [JSON.stringify([each.tool, each.args]), each])).values()];
  return { calls: distinct.slice(0, callsMax), impossible };
}

function mendOne(desk: Desk, check: CheckLine): readonly Call[] {
  const about = check.about.replace(/ \(for [^)]*\)$/, "");
  const [, atLeast, counted] = /at least (\d+) of kind (\w+)/.exec(about) ?? [];
  if (atLeast !== undefined && counted !== undefined)
    return makeMore(desk, counted, Number(atLeast) - seenCount(check.seen));
  const [, kind, title] = /a (\w+) called like "(.+)" is there/s.exec(about) ?? [];
  if (kind !== undefined && title !== undefined) return makeOne(desk, kind, title);
  const [, src, dst, rel] = /^(?:.*: )?(\S+) is linked to (\S+) \((.+)\)$/.exec(about) ?? [];
  if (src !== undefined && desk.means.may("link")) return [call("link", { src_id: src, rel, dst_id: dst })];
  if (/documents? .*(?:has|have) |document called like/s.test(about)) return mendPage(desk, check, about);
  if (/a judge agrees/.test(about)) return mendForJudge(desk, check);
  return [];
}

const call = (tool: string, args: Call["args"]): Call => ({
  tool,
  args,
  step_id: null,
  why: "A check is red without it",
});
const seenCount = (seen: string): number => Number(/^(\d+) of \d+/.exec(seen)?.[1] ?? 0);
const isKind = (kind: string): boolean => (entityKinds as readonly string[]).includes(kind);

function makeMore(desk: Desk, kind: string, missing: number): readonly Call[] {
  const { reading, means, view } = desk;
  if (!isKind(kind) || !means.may(`create_${kind}`) || means.projectId === null) return [];
  const many = Math.min(Math.max(1, missing), callsMax);
  if (kind === "task" && (view.lastIteration?.artifacts ?? []).every((made) => made.kind !== "task"))
    return tasksOf(reading)
      .slice(0, many)
      .map((task) => taskCall(desk, null, task, false));
  return Array.from({ length: many }, (_, n) => {
    const facet = facetOf(desk, n + view.iteration);
    const [line = "Look at it again"] = facet.checklist.slice(n % 3);
    return call(`create_${kind}`, {
      project_id: means.projectId,
      title: `${facet.title}: ${line}`,
      description: `Part of ${reading.topic}.`,
    });
  });
}

const facetOf = ({ reading, promised }: Desk, n: number) => {
  const headings = promised.checks.flatMap((check) =>
    check.kind === "document_has" && check.deliverable_id === "research" ? check.headings : [],
  );
  return facetCalled(headings[n % Math.max(1, headings.length)] ?? reading.name, reading);
};

function makeOne({ means, reading }: Desk, kind: string, title: string): readonly Call[] {
  if (!isKind(kind) || !means.may(`create_${kind}`) || means.projectId === null) return [];
  const described = {
    project_id: means.projectId,
    title,
    description: `Asked for by a check; part of ${reading.topic}.`,
  };
  if (kind !== "document") return [call(`create_${kind}`, described)];
  const content = labelled(sectionOf(facetCalled(title, reading), reading, 0));
  return [call("create_document", { ...described, content })];
}

type Lack = { readonly words: number; readonly headings: readonly string[]; readonly sources: number };

function lackOf(seen: string, about: string): Lack {
  const [, has = "0", wants = /(\d+) words/.exec(about)?.[1] ?? "0"] = /(\d+) of (\d+) words/.exec(seen) ?? [];
  const [, hasSources = "0", wantsSources = /(\d+) sources/.exec(about)?.[1] ?? "0"] =
    /(\d+) of (\d+) sources/.exec(seen) ?? [];
  const named =
    /without the headings (.+)$/s.exec(seen)?.[1] ??
    (/no such document/.test(seen) ? /the headings (.+?)(?:, \d+ (?:words|sources).*)?$/s.exec(about)?.[1] : undefined);
  return {
    words: Math.max(0, Number(wants) - Number(has)),
    headings: named === undefined ? [] : named.split(", ").slice(0, 30),
    sources: Math.max(0, Number(wantsSources) - Number(hasSources)),
  };
}

function mendPage(desk: Desk, { seen }: CheckLine, about: string): readonly Call[] {
  const { reading, view } = desk;
  const [, title = ""] = /called like "(.+)" ha(?:s|ve) /s.exec(about) ?? [];
  const isOverview = title === overviewTitle(reading);
  const isMissing = /no such document/.test(seen);
  const whole = isOverview && isMissing ? overviewCall(desk, null) : null;
  if (whole) return [whole];
  const lack = lackOf(seen, about);
  if (lack.sources > reading.links.length) return [];
  const sections = lack.headings.map((heading, n) =>
    sectionOf({ ...facetCalled(heading, reading), title: heading }, reading, n),
  );
  const sources = lack.sources > 0 ? [`## Sources\n\n${reading.links.map((link) => `- ${link}`).join("\n")}`] : [];
  const said = sections.join(" ").split(/\s+/).length;
  const more = lack.words > said ? moreAbout(reading, lack.words - said + spareWords, view.iteration) : null;
  const content = [...sections, ...sources, ...(more ? [more.text] : [])].join("\n\n");
  if (content === "" || (more && more.words < spareWords)) return [];
  return addTo(
    desk,
    isMissing ? null : pageId(desk, about, isOverview),
    title || `More about ${reading.name}`,
    content,
  );
}

/** Only ids the view knows. */
function pageId({ steps, view }: Desk, about: string, isOverview: boolean): string | null {
  const [named] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(about) ?? [];
  if (named !== undefined) return named;
  const of = isOverview || /documents together/.test(about) ? stepIds.overview : null;
  const evidence = steps.find((step) => step.id === of)?.evidence ?? [];
  const made = view.plan.flatMap((step) => step.evidence).filter(({ kind }) => kind === "document");
  return evidence.find((id) => made.some((ref) => ref.id === id)) ?? null;
}

function addTo(desk: Desk, id: string | null, title: string, content: string): readonly Call[] {
  const isStaged = desk.view.permission.writeMode === "per_write";
  if (id !== null && !isStaged && desk.means.may("append_document"))
    return [call("append_document", { id, text: content })];
  const { projectId } = desk.means;
  const page = { title, content: labelled(content), projectId, stepId: null, why: "A check is red without it" };
  const made = pageCall(desk, { ...page, isRetried: false });
  return made ? [made] : [];
}

/** Once: a judge that still says no afterwards wants something that rules do not have. */
function mendForJudge(desk: Desk, { seen }: CheckLine): readonly Call[] {
  const { view, reading } = desk;
  if (view.guidance?.next !== "mend_what_failed" || view.streaks.sameAction > 0) return [];
  if ((view.lastIteration?.toolResults ?? []).some(({ tool }) => tool === "append_document")) return [];
  const missing = /misses (.+)$/s.exec(seen)?.[1] ?? "";
  const intro =
    missing === ""
      ? ""
      : `## What was missing\n\n${missing
          .split("; ")
          .map((line) => `- ${line}`)
          .join("\n")}\n\n`;
  const content = `${intro}${moreAbout(reading, 200, view.iteration).text}`;
  return addTo(desk, pageId(desk, "documents together", true), `More about ${reading.name}`, content);
}
