// The judge of a run that agents work on: an agent, another one than did the work where there is one, reads the diff and the files in a
// copy that it cannot spoil. What it answers is believed only as far as its quotes stand in those files; after a misquote it is asked
// once more. Every reading is in the journal and in the ledger.

import path from "node:path";
import type { Tx } from "../../db/database.ts";
import { readChangedLines } from "../../domain/agent/changed-lines.ts";
import { hasFindings, type ReviewAnswer, readReviewAnswer } from "../../domain/agent/review-answer.ts";
import type { Check } from "../../domain/run/checks/check.ts";
import type { NonEmpty, RunningRun } from "../../domain/run/run.ts";
import { tellTime } from "../../domain/time-zone.ts";
import { readJson } from "../../lib/json.ts";
import { type ReviewView, reviewerPrompt } from "../../prompts/reviewer-prompt.ts";
import type { JobResult } from "../../runner/job/job.ts";
import { agentEffect } from "../../runner/job/job-effect.ts";
import { locateRun } from "../../runner/job/job-files.ts";
import { inRun, openTask, type TaskFolder } from "../../runner/layout/runner-root.ts";
import { keepHomeworkRun, keepTaskText, removeDone, writeDone } from "../../runner/layout/task-files.ts";
import { readText } from "../../runner/layout/text.ts";
import { agentNameOf, type PoolAgent } from "../../runner/task/agent-pool.ts";
import { settleUsage } from "../../runner/task/settle-usage.ts";
import { makeReviewCopy, type ReviewCopy, removeReviewCopy } from "../../runner/work/review-copy.ts";
import { listChanges, readBranchFile, type WorkFolder } from "../../runner/work/work-folder.ts";
import { Interrupted, type Journal } from "../../runs/ports/engine.ts";
import { judgeLane } from "../../runs/ports/run-store.ts";
import { readMessages } from "../../store/run-view/message-store.ts";
import { red, type Seen } from "../look-at.ts";
import { readRunBefore } from "../read-run-before.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { withOwnHome } from "./agent-home.ts";
import { type AgentPlace, namesOf } from "./agent-place.ts";
import { readOutput } from "./conclude-work.ts";
import { listAuthors } from "./list-authors.ts";

/** After a misquote, once more. */
const askedMax = 2;
/** A file of more characters is not looked up in. */
const fileMax = 5_000_000;
const namesMax = 100;

type Review = {
  readonly deps: AgentDeps;
  readonly run: RunningRun;
  readonly journal: Journal<Tx>;
  readonly task: TaskFolder;
  readonly work: WorkFolder;
  readonly copy: ReviewCopy;
  readonly view: Omit<ReviewView, "problem">;
};

export async function reviewWork(
  deps: AgentDeps,
  place: AgentPlace,
  run: RunningRun,
  checks: NonEmpty<Check>,
  journal: Journal<Tx>,
): Promise<Seen> {
  const { projectId, reviewTaskId } = namesOf(run);
  const { root } = deps.jobs;
  const task = openTask(root, projectId, reviewTaskId);
  keepTaskText(root, task, `Review: ${run.objective}`);
  keepHomeworkRun(root, task, run.id);
  const copyPlace = path.join(task.path, `copy-${run.state.iteration}`);
  const changed = await listChanges(place.work);
  if (changed.length === 0) return red("there is nothing to review: no file has changed");
  const copy = await makeReviewCopy(place.work, copyPlace);
  removeDone(root, task);
  try {
    const view = await describeReview(deps, run, checks, copy, changed, readOutput(deps, place));
    const review: Review = { deps, run, journal, task, work: place.work, copy, view };
    const seen = await askReviewers(review, listAuthors(journal, place), new Set(changed.map((each) => each.path)));
    const artifacts = changed.slice(0, 200).map(({ path: id }) => ({ kind: "file", id }));
    writeDone(root, task);
    return { ...seen, artifacts };
  } finally {
    // A reading that goes on without us (this process stops) has its copy until the next attempt makes it anew.
    if (!journal.signal.aborted) removeReviewCopy(copyPlace);
  }
}

async function describeReview(
  deps: AgentDeps,
  run: RunningRun,
  checks: NonEmpty<Check>,
  copy: ReviewCopy,
  changed: readonly { readonly path: string; readonly change: string }[],
  report: string,
): Promise<Omit<ReviewView, "problem">> {
  const { messages, before } = await deps.db.asUser({ userId: run.userId }, async (tx) => ({
    messages: await readMessages(tx, run.id, run.state.iteration),
    before: await readRunBefore(tx, run, null),
  }));
  return {
    now: tellTime(deps.env.now(), run.timeZone),
    objective: run.objective,
    before,
    foreignTexts: run.foreignTexts,
    messages,
    rubrics: checks.flatMap(({ target, givenBy }) =>
      target.kind === "judge" && givenBy !== "platform" ? [{ text: target.rubric, isOfUser: givenBy === "user" }] : [],
    ),
    folder: copy.folder,
    diffFile: copy.diffFile,
    diff: copy.diff,
    files: changed.map(({ path: file, change }) => `${file} (${change})`),
    // The run still has the proofs of the iteration before.
    earlier: run.lastProofs.find(hasFindings)?.seen ?? null,
    report,
  };
}

/** Others than those that did the work come first; one that cannot be asked is passed over. */
async function askReviewers(
  review: Review,
  authors: readonly string[],
  changed: ReadonlySet<string>,
): Promise<Pick<Seen, "isGreen" | "seen">> {
  const { agents } = review.deps;
  const isAuthor = ({ name }: PoolAgent) => authors.includes(name);
  const inTurn = [...agents.filter((agent) => !isAuthor(agent)), ...agents.filter(isAuthor)];
  const troubles: string[] = [];
  for (const agent of inTurn) {
    const asked = await askOne(review, agent, changed);
    if ("isGreen" in asked) return { isGreen: asked.isGreen, seen: nameReviewer(asked, agent) };
    troubles.push(`${agent.name}: ${asked.why}`);
  }
  return red(`the work could not be reviewed: ${troubles.join("; ")}`);
}

/** The page says who said yes; findings stand for themselves. */
const nameReviewer = (answer: ReviewAnswer, { name }: PoolAgent): string =>
  hasFindings(answer) ? answer.seen : answer.seen.replace("the reviewer", `the reviewer (${name})`);

type NotAsked = { readonly why: string };

async function askOne(
  review: Review,
  agent: PoolAgent,
  changed: ReadonlySet<string>,
): Promise<ReviewAnswer | NotAsked> {
  const lines = readChangedLines(review.copy.diff);
  let problem: string | null = null;
  for (let n = 0; ; n++) {
    const job = await runReviewer(review, agent, n, problem);
    if (job === null) return { why: "its result was lost" };
    const { verdict } = job;
    if (verdict.kind === "transient" && verdict.notBeforeMs !== null)
      throw new Interrupted({
        kind: "held",
        fault: { kind: "hold", untilMs: verdict.notBeforeMs, why: `The reviewer ${agent.name}: ${verdict.why}` },
      });
    if (verdict.kind !== "ok") return { why: verdict.why };
    const output = readAnswer(review, job);
    const texts = await readQuoted(review, output);
    const answer = readReviewAnswer(output, { read: (file) => texts.get(file) ?? null, changed, lines });
    if (answer.problem === null || n + 1 >= askedMax) return answer;
    problem = answer.problem;
  }
}

async function runReviewer(
  { deps, journal, task, copy, view }: Review,
  agent: PoolAgent,
  n: number,
  problem: string | null,
): Promise<JobResult | null> {
  const { name, backend, model, baseUrl, token, program } = agent;
  const key = `review:${name}:${n}`;
  const prompt = () => reviewerPrompt({ ...view, problem }, deps.env.newId().replaceAll("-", ""));
  const request = { task, backend, model, baseUrl, token, program, prompt, limits: deps.limits, session: null };
  const effect = agentEffect(
    withOwnHome(deps.jobs, task, deps.agents),
    { ...request, workFolder: copy.folder, facts: agentNameOf(agent) },
    { stop: { by: "homework", reason: "the run was stopped" } },
  );
  const head = { key, lane: judgeLane, tool: "review", args: { agent: name } };
  const ended = await journal.startOrAdopt(head, effect, ({ verdict }) => ({
    did: `${name} reviewed the changes`,
    error: verdict.kind === "ok" ? null : verdict.why,
  }));
  if (ended.kind === "uncertain") return null;
  const call = { key: `${key}/usage`, role: "judge", model: name, lane: judgeLane, messages: view.messages.length };
  await settleUsage(journal, { ...call, isUnpriced: ended.result.cost_usd === null }, ended.result);
  return ended.result;
}

function readAnswer({ deps: { jobs }, task }: Review, { run_id: runId }: JobResult): string {
  const read = readText(jobs.root.disk, inRun(locateRun(task, runId), "output"));
  return read.kind === "text" ? read.text : "";
}

/** Files that an answer names, as the branch has them: the copy may have been changed by the one that read it. */
async function readQuoted({ work }: Review, output: string): Promise<ReadonlyMap<string, string>> {
  const named = [...output.matchAll(/"file"\s*:\s*"((?:[^"\\]|\\.){1,1000})"/g)].map(([, name]) =>
    readJson(`"${name}"`),
  );
  const names = named.flatMap((name) => (typeof name === "string" ? [name, name.replace(/^(?:\.|a|b)\//, "")] : []));
  const texts = new Map<string, string>();
  for (const name of [...new Set(names)].slice(-namesMax)) {
    const text = await readBranchFile(work, name);
    if (text !== null && text.length <= fileMax) texts.set(name, text);
  }
  return texts;
}
