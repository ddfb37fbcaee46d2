// One look at what a check is about: is it there, how many, in which state, what stands in it. What a run only touched without
// changing it, and the pages that the platform keeps for it, prove nothing.

import type { Tx } from "../db/database.ts";
import { entityKinds } from "../domain/entity/kinds.ts";
import { type ArtifactRef, describeProgress, judgePlan, type Plan } from "../domain/plan/plan.ts";
import type { CheckTarget, Proof } from "../domain/run/checks/check.ts";
import { linkEntity, wordsOfSubstance } from "../domain/run/checks/evidence.ts";
import {
  headingKey,
  isOldChanged,
  type MeasuredDocuments,
  measureDocuments,
} from "../domain/run/checks/measure-document.ts";
import { listProjects } from "../domain/run/describe-config.ts";
import type { RunningRun } from "../domain/run/run.ts";
import {
  type FoundDocument,
  type FoundThing,
  findDocuments,
  findLink,
  findOwnLinks,
  findThings,
  isEntityKind,
} from "../store/workspace/check-store.ts";
import { readContentStates } from "../store/workspace/content-state-store.ts";
import { findReadByRun, type ReadByRun } from "../store/workspace/run-reading-store.ts";

/** What was seen of a check. */
export type Seen = Pick<Proof, "isGreen" | "seen" | "artifacts">;

/** As many as a check may ask for. */
const countMax = 10_000;
/** More than a proof has to name. */
const artifactsMax = 200;

export async function lookAt(tx: Tx, run: RunningRun, plan: Plan, target: CheckTarget): Promise<Seen> {
  switch (target.kind) {
    case "plan_complete":
      return planComplete(plan);
    case "entity_exists": {
      if (!isEntityKind(target.entity)) return red(`there are no things of kind ${target.entity}`);
      const projectIds = givenProjects(run);
      const found = await findThings(tx, run.id, target.entity, { titleLike: target.titleLike, projectIds });
      const [first] = found;
      if (!first) return red(`no ${target.entity} has “${target.titleLike}” in its title`);
      return {
        isGreen: true,
        seen: `${nameOf(first, target.entity)} is there`,
        artifacts: await changed(tx, run, found),
      };
    }
    case "entity_count": {
      // Between the user's own things; the platform links its pages by itself.
      if (target.entity === linkEntity)
        return counted(linkEntity, await findOwnLinks(tx, run.id, countMax), target.atLeast);
      if (!isEntityKind(target.entity)) return red(`there are no things of kind ${target.entity}`);
      const own = await changed(tx, run, await findThings(tx, run.id, target.entity, { ownAtMost: countMax }));
      return counted(target.entity, own, target.atLeast);
    }
    case "entity_state":
      return entityState(tx, run, target);
    case "document_has":
      return documentHas(tx, run, target);
    case "link_exists": {
      const found = await findLink(tx, run.id, target);
      if (found === null) return red("there is no such link");
      const artifacts = found.isOfRun ? [{ kind: found.kind, id: found.id }] : [];
      return { isGreen: true, seen: `it is linked (${target.rel})`, artifacts };
    }
    default:
      return red(`this installation cannot run checks of kind ${target.kind}`);
  }
}

export const red = (seen: string): Seen => ({ isGreen: false, seen, artifacts: [] });

const counted = (kind: string, own: readonly ArtifactRef[], atLeast: number): Seen => ({
  isGreen: own.length >= atLeast,
  seen: `${own.length} ${kind}${own.length === 1 ? "" : "s"} (at least ${atLeast})`,
  artifacts: own.slice(0, artifactsMax),
});

function planComplete(plan: Plan): Seen {
  const verdict = judgePlan(plan);
  const artifacts = plan.steps.flatMap(({ evidence }) => evidence).slice(0, artifactsMax);
  if (verdict.isComplete) return { isGreen: true, seen: describeProgress(plan), artifacts };
  if (plan.steps.length === 0) return red("there is no plan");
  return red(verdict.open.length === 0 ? "no step is done" : `open: ${verdict.open.join(", ")}`);
}

/** Those that this run made, or changed by more than blanks. */
async function changed(tx: Tx, run: RunningRun, things: readonly FoundThing[]): Promise<readonly ArtifactRef[]> {
  const own = things.filter(({ isOfRun }) => isOfRun);
  const states = await readContentStates(tx, run.id, own);
  const moved = new Set(states.filter(({ before, now }) => before !== now).map(({ id }) => id));
  return own.filter(({ id }) => moved.has(id)).map(({ kind, id }) => ({ kind, id }));
}

/** Titles that others gave are not repeated: what was seen stands in the planner's prompt. */
const nameOf = ({ isOfRun, title }: FoundThing, kind: string): string =>
  isOfRun ? `${kind} "${title}"` : `the ${kind}`;

/** A check sees no more than the run: the planner chose its words, and reads what was seen. */
const givenProjects = ({ scope }: RunningRun): readonly string[] | null =>
  scope.kind === "global" ? null : listProjects(scope);

async function entityState(tx: Tx, run: RunningRun, target: CheckTarget & { kind: "entity_state" }): Promise<Seen> {
  for (const kind of entityKinds) {
    const found = await findThings(tx, run.id, kind, { id: target.entityId });
    const [first] = found;
    if (first)
      return {
        isGreen: first.state === target.state,
        seen: `${nameOf(first, kind)} is ${first.state}${first.state === target.state ? "" : ` (wanted: ${target.state})`}`,
        artifacts: await changed(tx, run, found),
      };
  }
  return red("there is no such thing, or its user may not see it");
}

async function documentHas(tx: Tx, run: RunningRun, target: CheckTarget & { kind: "document_has" }): Promise<Seen> {
  const found = await findDocuments(tx, run.id, target.documentId, target.titleLike);
  const called = target.titleLike === "" ? "" : ` with “${target.titleLike}” in its title`;
  if (found.length === 0) return red(`this run has written no document${called}`);
  const measured = measureDocuments(found);
  const read = target.sourcesAtLeast > 0 ? await findReadByRun(tx, run.id) : null;
  const findings = [
    ...wordFindings(run, target, measured, found),
    ...(read === null ? [] : [sourceFinding(target, measured, read, found)]),
    ...headingFindings(target, measured),
  ];
  const isGreen = findings.every(({ ok }) => ok);
  const isWork = measured.words > 0 || measured.isOldChanged;
  const artifacts = isWork ? found.filter(isWritten).map(({ kind, id }) => ({ kind, id })) : [];
  return { isGreen, seen: findings.map(({ text }) => text).join(", "), artifacts: artifacts.slice(0, artifactsMax) };
}

const isWritten = (found: FoundDocument): boolean => found.isOfRun && (found.before === null || isOldChanged(found));

const asNew = ({ content }: FoundDocument) => ({ content, before: null });

type Finding = { readonly ok: boolean; readonly text: string };
type Wanted = CheckTarget & { kind: "document_has" };

/**
 * Where no number of words is asked for, an old document may also have lost something: a judge reads what. Without a judge it has to
 * have got more than a word. Where a number of words is asked for and a judge reads the change, all words of the changed document are
 * counted, so that a run may correct one sentence. Without a judge only added words are counted.
 */
function wordFindings(
  { isJudged }: RunningRun,
  target: Wanted,
  { words, length, hasRepetition, addedHeadings, isOldChanged: isOther }: MeasuredDocuments,
  found: readonly FoundDocument[],
) {
  const isOld = found.some(({ before }) => before !== null);
  const notes = [...(isOld ? ["added"] : []), ...(hasRepetition ? ["without repetition"] : [])];
  const counted = countedAs(target);
  const named = `${words} ${counted}${notes.length === 0 ? "" : ` ${notes.join(", ")}`}`;
  const { wordsAtMost } = target;
  const most = wordsAtMost === undefined ? "" : `, ${length} in all (at most ${wordsAtMost})`;
  const finding = (least: number): Finding => ({ ok: words >= least, text: `${named} (at least ${least})${most}` });
  if (wordsAtMost !== undefined && length > wordsAtMost)
    return [{ ok: false, text: `${length} words in all (at most ${wordsAtMost})` }];
  const standing = isJudged && isOther ? measureDocuments(found.filter(isWritten).map(asNew)).words : null;
  if (target.wordsAtLeast > 0 && standing !== null)
    return [
      {
        ok: standing >= target.wordsAtLeast,
        text: `${standing} ${counted}, ${words} of them added (at least ${target.wordsAtLeast})${most}`,
      },
    ];
  if (target.wordsAtLeast > 0) return [finding(target.wordsAtLeast)];
  const hasHeading = target.headings.some((heading) => addedHeadings.has(headingKey(heading)));
  if (isOld && !isJudged && target.sourcesAtLeast === 0 && !hasHeading) return [finding(wordsOfSubstance)];
  if (words === 0 && isOther && isJudged) return [{ ok: true, text: "changed without adding words" }];
  return [{ ok: words > 0, text: `${named}${most}` }];
}

/** Beside the length, which counts the words of tables and headings, too. */
const countedAs = ({ wordsAtMost }: Wanted): string => (wordsAtMost === undefined ? "words" : "words that count");

/** Only what the run opened counts, and not what it wrote itself. */
function sourceFinding(
  target: Wanted,
  { urls, linkedIds }: MeasuredDocuments,
  read: ReadByRun,
  found: readonly FoundDocument[],
): Finding {
  const own = new Set(found.map(({ id }) => id));
  const opened = urls.filter((url) => read.urls.has(url)).length;
  const count = opened + linkedIds.filter((id) => read.ids.has(id) && !own.has(id)).length;
  const unread = urls.length - opened;
  const note = unread === 0 ? "" : `; ${unread} cited but never opened by this run`;
  return {
    ok: count >= target.sourcesAtLeast,
    text: `${count} ${count === 1 ? "source" : "sources"} (at least ${target.sourcesAtLeast}${note})`,
  };
}

function headingFindings({ headings: wanted }: Wanted, { headings }: MeasuredDocuments): readonly Finding[] {
  const missing = wanted.filter((heading) => !headings.has(headingKey(heading)));
  if (missing.length === 0)
    return wanted.length === 0
      ? []
      : [{ ok: true, text: wanted.length === 1 ? "the heading" : `all ${wanted.length} headings` }];
  return [{ ok: false, text: `without the headings ${missing.join(", ")}` }];
}
