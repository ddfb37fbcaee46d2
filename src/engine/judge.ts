// Asks the judge about the work of a run, in parts where it is long: every part has to pass. What it answers is believed only
// as far as it quotes the work (judge-answer.ts); after a misquote it is asked once more. A provider that cannot be asked
// holds the run like any other call.

import { asPlatform, type Tx } from "../db/database.ts";
import { briefOf } from "../domain/homr/context/brief.ts";
import type { ArtifactRef } from "../domain/plan/plan.ts";
import type { ForeignText } from "../domain/policy/foreign-text.ts";
import type { Check, Proof } from "../domain/run/checks/check.ts";
import { describeCheck } from "../domain/run/checks/describe-check.ts";
import { type JudgeAnswer, missesWords, readJudgeAnswer } from "../domain/run/checks/judge-answer.ts";
import { withoutCode } from "../domain/run/checks/measure-document.ts";
import type { CheckChange } from "../domain/run/report/report-shape.ts";
import type { NonEmpty, RunningRun } from "../domain/run/run.ts";
import { tellTime } from "../domain/time-zone.ts";
import type { ModelMessage } from "../llm/model.ts";
import { nameText } from "../prompts/foreign-texts.ts";
import { type JudgedPiece, type JudgeView, judgedAtOnce, judgePrompt } from "../prompts/judge-prompt.ts";
import type { Journal } from "../runs/ports/engine.ts";
import { judgeLane } from "../runs/ports/run-store.ts";
import { readOutcomeOf } from "../store/outcome/task-brief-store.ts";
import { readCheckChanges } from "../store/run-view/check-change-store.ts";
import { readMessages } from "../store/run-view/message-store.ts";
import {
  type JudgedDocument,
  type JudgedWork,
  readJudgedWork,
  readSources,
} from "../store/workspace/judged-work-store.ts";
import { ask } from "./ask.ts";
import { red, type Seen } from "./look-at.ts";
import { readMade } from "./open-brief.ts";
import type { PlannerDeps } from "./planner/iteration.ts";
import { readRunBefore } from "./read-run-before.ts";

const outputMax = 1_500;
/** Half a million characters: longer work is not judged whole, and then not at all. */
const partsMax = 40;

/** What is judged, and where. */
type Judging = {
  readonly deps: PlannerDeps;
  readonly run: RunningRun;
  readonly journal: Journal<Tx>;
  readonly view: Omit<JudgeView, "artifacts" | "part">;
};

/** Once for all checks that need it, over all of the run's work. */
export async function judge(
  deps: PlannerDeps,
  run: RunningRun,
  checks: NonEmpty<Check>,
  journal: Journal<Tx>,
  counted: readonly Proof[],
  changing: readonly CheckChange[] = [],
): Promise<Seen> {
  const { work, sources, messages, brief, before, changed } = await deps.db.asUser(
    { userId: run.userId },
    async (tx) => ({
      work: await readJudgedWork(tx, run.id, null, promisedBy(run, counted)),
      messages: await readMessages(tx, run.id, run.state.iteration),
      before: await readRunBefore(tx, run, null),
      changed: await readCheckChanges(tx, run.id),
      ...(await readGiven(tx, run)),
    }),
  );
  const parts = toParts(toPieces(work));
  if (parts.length === 0)
    return red(
      "there is nothing to judge: the run has written no document, task, goal or link besides its working notes",
    );
  if (parts.length > partsMax)
    return red(`the work is too long to be judged (about ${parts.length * judgedAtOnce} characters): write less`);
  const view = {
    now: tellTime(deps.env.now(), run.timeZone),
    objective: run.objective,
    brief,
    before,
    messages,
    deliverables: run.deliverables.map(({ title }) => title),
    rubrics: checks.flatMap(({ target, givenBy }) =>
      // The platform's own say no more than the rules of the prompt.
      target.kind === "judge" && givenBy !== "platform" ? [{ text: target.rubric, isOfUser: givenBy === "user" }] : [],
    ),
    sources: [...run.foreignTexts.map(asSource), ...sources],
    changedChecks: [...changed, ...changing].map(tellChange),
    counted: countedWords(run, counted),
    summary: run.closing?.summary ?? "",
    openPoints: [...(run.closing?.openQuestions ?? []), ...(run.closing?.unsure ?? [])],
    missedBefore: findMissed(run, checks),
  };
  const judging: Judging = { deps, run, journal, view };
  const answers: JudgeAnswer[] = [];
  for (const [n, pieces] of parts.entries()) {
    const part = parts.length === 1 ? null : { number: n + 1, of: parts.length, outline: outlineOf(work) };
    const key = part === null ? `judge:${checks[0].id}` : `judge:${checks[0].id}/part:${part.number}`;
    answers.push(await judgePart(judging, key, { artifacts: pieces, part }));
  }
  return combine(deps, answers, artifactsOf(work));
}

/** What the plan says of itself is of the run's own making, and no news to a judge. */
function findCounted({ checks }: RunningRun, proofs: readonly Proof[]) {
  const shown = checks.filter(({ target }) => target.kind !== "plan_complete");
  return shown.flatMap((check) => {
    const proof = proofs.find(({ checkId, isGreen }) => checkId === check.id && isGreen);
    return proof === undefined ? [] : [{ check, proof }];
  });
}

const countedWords = (run: RunningRun, proofs: readonly Proof[]): readonly string[] =>
  findCounted(run, proofs).map(({ check, proof }) => `${describeCheck(check, run.deliverables)}: ${proof.seen}`);

/** The reason is the planner's word; that the user approved is not. */
const tellChange = ({ changes, why, is_approved: isApproved }: CheckChange): string =>
  `${changes.join("; ")} (${isApproved ? "approved by the user" : "decided by the planner"}; the planner's reason: ${why})`;

/** What was counted is judged, too: a working note that was asked for would pass unread otherwise. */
const promisedBy = (run: RunningRun, proofs: readonly Proof[]): readonly ArtifactRef[] =>
  findCounted(run, proofs).flatMap(({ proof }) => proof.artifacts);

/** What the user handed over is what the work was made from, like a document that was read. */
const asSource = ({ title, text }: ForeignText): JudgeView["sources"][number] => ({
  title: nameText(title),
  text,
  isChanged: false,
});

/** The words of the reading before this one. */
function findMissed({ lastProofs }: RunningRun, checks: readonly Check[]): string {
  const isOfReading = ({ checkId, isGreen, seen }: Proof) =>
    !isGreen && seen.includes(missesWords) && checks.some(({ id }) => id === checkId);
  return lastProofs.find(isOfReading)?.seen ?? "";
}

/** What the work is held against. What the tasks before it made is shown whether the worker opened it or not. */
async function readGiven(
  tx: Tx,
  { id, outcomeTaskId: taskId }: RunningRun,
): Promise<Pick<JudgeView, "brief" | "sources">> {
  const state = taskId === null ? null : await asPlatform(tx, (platform) => readOutcomeOf(platform, taskId));
  const task = state?.tasks.find((each) => each.id === taskId);
  if (state === null || task === undefined) return { brief: null, sources: await readSources(tx, id) };
  const made = await readMade(tx, task.id);
  const given = made.map((document) => document.id);
  return { brief: briefOf(state, task, made), sources: await readSources(tx, id, given) };
}

async function judgePart(
  { deps, run, journal, view }: Judging,
  key: string,
  work: Pick<JudgeView, "artifacts" | "part">,
): Promise<JudgeAnswer> {
  const whole: JudgeView = { ...view, ...work };
  const { system, message } = judgePrompt(whole, deps.env.newId().replaceAll("-", ""));
  const request = {
    role: "judge",
    system,
    tools: [],
    format: "json",
    maxOutputTokens: outputMax,
    cacheKey: `${run.id}/judge`,
    view: whole,
  } as const;
  const about = { lane: judgeLane, messages: view.messages.length };
  const texts = work.artifacts.map(({ text }) => text);
  const askWith = (stepKey: string, messages: readonly ModelMessage[]) =>
    ask({ ...deps, journal, run }, stepKey, { ...request, messages }, about);
  const question = { role: "user", text: message } as const;
  const asked = await askWith(key, [question]);
  if (!asked.ok) return unasked(asked.why);
  const { text, native } = asked.value;
  const first = readJudgeAnswer(text, texts);
  if (first.problem === null) return first;
  const again = await askWith(`${key}/again`, [
    question,
    { role: "assistant", text, toolCalls: [], native },
    { role: "user", text: `${first.problem} Answer again with the whole JSON object, and nothing else.` },
  ]);
  return again.ok ? readJudgeAnswer(again.value.text, texts) : unasked(again.why);
}

const unasked = (why: string): JudgeAnswer => ({
  isGreen: false,
  score: 0,
  seen: `the judge could not be asked: ${why}`,
  missing: [],
  problem: null,
});

/** All parts have to pass; what any of them misses is named. */
function combine({ models }: PlannerDeps, answers: readonly JudgeAnswer[], artifacts: readonly ArtifactRef[]): Seen {
  const failed = answers.filter(({ isGreen }) => !isGreen);
  const said = (failed.length > 0 ? failed : answers.slice(0, 1)).map(({ seen }) => seen).join("; ");
  const byRules = models.chainOf("judge")[0].isDemo ? " (counted by the rules of the demo model, not read)" : "";
  return { isGreen: failed.length === 0, seen: `${said}${byRules}`, artifacts };
}

const artifactsOf = ({ documents }: JudgedWork): readonly ArtifactRef[] =>
  documents.map(({ id }) => ({ kind: "document", id }));

function toPieces({ documents, things, links }: JudgedWork): readonly JudgedPiece[] {
  return [
    ...documents.flatMap(({ id, title, text, removed, change }) => [
      ...cut(text).map((part) => ({ id, title: titles[change](title), text: part })),
      ...cut(removed).map((part) => ({ id, title: `removed from ${title}`, text: part })),
    ]),
    ...cut(things.join("\n\n")).map((text) => ({ id: "things", title: "tasks, goals, plans and milestones", text })),
    ...cut(links.join("\n")).map((text) => ({ id: "links", title: "links", text })),
  ];
}

/** What a judge reads of a document. */
const titles: Readonly<Record<JudgedDocument["change"], (title: string) => string>> = {
  made: (title) => title,
  added: (title) => `added to ${title}`,
  rearranged: (title) => `${title}, rearranged, as it is now`,
};

/** Pieces that fit into one reading, cut at the ends of lines where there are any. */
function cut(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > judgedAtOnce && pieces.length <= partsMax) {
    const at = rest.lastIndexOf("\n", judgedAtOnce);
    const end = at > judgedAtOnce / 2 ? at : judgedAtOnce;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return rest === "" ? pieces : [...pieces, rest];
}

function toParts(pieces: readonly JudgedPiece[]): readonly (readonly JudgedPiece[])[] {
  const parts: JudgedPiece[][] = [];
  let room = 0;
  for (const piece of pieces) {
    if (piece.text.length > room) {
      parts.push([]);
      room = judgedAtOnce;
    }
    parts.at(-1)?.push(piece);
    room -= piece.text.length;
  }
  return parts;
}

const outlineMax = 200;

/** Titles and headings, so that a part is not blamed for what stands in another. */
const outlineOf = ({ documents, things, links }: JudgedWork): string =>
  [
    ...documents.flatMap(({ title, text }) => [title, ...(withoutCode(text).match(/^#{1,6}\s.*$/gm) ?? [])]),
    ...(things.length === 0 ? [] : [`${things.length} tasks, goals, plans and milestones`]),
    ...(links.length === 0 ? [] : [`${links.length} links`]),
  ]
    .slice(0, outlineMax)
    .join("\n");
