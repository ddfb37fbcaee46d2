import { sql } from "kysely";
import { expect, test } from "vitest";
import { failure, makeCheck, makeClaim, makeStep } from "../../test/helpers/make-run.ts";
import { runWorld } from "../../test/helpers/run-world.ts";
import type { Tx } from "../db/database.ts";
import type { EntityKind } from "../domain/entity/kinds.ts";
import type { CheckTarget } from "../domain/run/checks/check.ts";
import type { RunningRun } from "../domain/run/run.ts";
import { pageTypes } from "../domain/workspace/pages.ts";
import { realEnv } from "../main/env.ts";
import { Interrupted, type Journal, type Worked } from "../runs/ports/engine.ts";
import { createEdge } from "../store/entity/edge-store.ts";
import { createEntity, setEntityBinned, updateEntity } from "../store/entity/entity-store.ts";
import { madeByRun } from "../store/workspace/planner-store.ts";
import { storeProver, type Witnesses } from "./prove.ts";

const world = await runWorld();
const user = await world.makeUser();
const project = await world.makeProject(user);

type Fields = { readonly content?: string; readonly type_key?: string };

/** A run, and what it does to the user's things. */
async function begin() {
  const run = { ...(await world.create(user)), state: { status: "running", iteration: 1, hold: null } } as RunningRun;
  const identity = { userId: user, runId: run.id };
  const make = async (kind: EntityKind, title: string, fields: Fields = {}) => {
    const id = realEnv.newId();
    await world.db.asUser(identity, (tx) =>
      createEntity(tx, kind, { id, projectId: project, by: user }, { title, ...fields }),
    );
    return id;
  };
  /** `version`: which one of it the run has read. */
  const change = (kind: EntityKind, id: string, version: number, content: string) =>
    world.db.asUser(identity, (tx) => updateEntity(tx, kind, { id, projectId: project, version }, { content }));
  return { run, make, change };
}

async function inJournal(run: RunningRun, key: string, kind: string, result: unknown): Promise<void> {
  await sql`insert into homework_run_iterations (run_id, iteration, attempts, status, started_at)
    values (${run.id}, 1, 1, 'running', now()) on conflict do nothing`.execute(world.db.system);
  await sql`insert into journal_entries (run_id, iteration, key, kind, state, fence, result, ended_at)
    values (${run.id}, 1, ${key}, ${kind}, 'done', 1, ${JSON.stringify(result)}::jsonb, now())`.execute(
    world.db.system,
  );
}

/** What the user had before the run. */
async function old(kind: EntityKind, title: string, content = "") {
  const id = await world.makeEntity(user, project, kind, title);
  await world.as(user, (tx) => updateEntity(tx, kind, { id, projectId: project, version: 1 }, { content }));
  return id;
}

const journal = { signal: new AbortController().signal } as Journal<Tx>;

const worked = (over: object = {}): Worked => ({
  kind: "worked",
  summary: "",
  claim: makeClaim(),
  closing: null,
  wasCutOff: false,
  heard: 0,
  questions: [],
  plan: { steps: [makeStep()] },
  proposed: null,
  actions: null,
  error: null,
  hasToolMiss: false,
  ...over,
});

async function look(run: RunningRun, target: CheckTarget) {
  const proven = await storeProver(world.db).prove({ ...run, checks: [makeCheck({ target })] }, worked(), journal);
  const [proof] = proven.kind === "proven" ? proven.proofs : [];
  if (proof === undefined) throw new Error("there is a proof");
  return proof;
}

const has = (over: object): CheckTarget => ({
  kind: "document_has",
  documentId: null,
  titleLike: "",
  headings: [],
  wordsAtLeast: 0,
  sourcesAtLeast: 0,
  ...over,
});
const letters = (n: number) => [...String(n)].map((digit) => "abcdefghij"[Number(digit)]).join("");
const text = (count: number) => Array.from({ length: count }, (_, n) => `word${letters(n)}`).join(" ");

test("a document of the run is measured by its prose, and only what was asked for is named", async () => {
  const { run, make } = await begin();
  const id = await make("document", "Paper", { content: `# Costs\n\n${text(513)}` });
  expect(await look(run, has({ wordsAtLeast: 250 }))).toMatchObject({
    isGreen: true,
    seen: "514 words (at least 250)",
    artifacts: [{ kind: "document", id }],
  });
});

test("pages that the platform writes for a run count in no check", async () => {
  const { run, make } = await begin();
  for (const type of [pageTypes.root, pageTypes.scratchpad, pageTypes.summary, pageTypes.plan, pageTypes.branch])
    await make("document", `Page ${type}`, { content: text(300), type_key: type });
  expect(await look(run, has({ wordsAtLeast: 40 }))).toMatchObject({ isGreen: false, artifacts: [] });
  expect(await look(run, has({ titleLike: "Page", wordsAtLeast: 40 }))).toMatchObject({ isGreen: false });
  expect(await look(run, { kind: "entity_count", entity: "document", atLeast: 1 })).toMatchObject({
    isGreen: false,
    seen: "0 documents (at least 1)",
  });
});

test("the page of a branch counts once a tool has written on it", async () => {
  const { run, make } = await begin();
  const id = await make("document", "Findings", { content: text(300), type_key: pageTypes.branch });
  await inJournal(run, "exec:1/tool:0.0", "tool", { result: {}, artifacts: [{ kind: "document", id }] });
  expect(await look(run, has({ wordsAtLeast: 40 }))).toMatchObject({ isGreen: true });
});

test("a blank appended to an old page proves nothing, what is added to it does", async () => {
  const { run, change } = await begin();
  const content = `# Paper\n\n${text(800)}.`;
  const id = await old("document", "Old paper", content);
  const target = has({ documentId: id, wordsAtLeast: 50 });
  await change("document", id, 2, `${content} `);
  expect(await look(run, target)).toMatchObject({ isGreen: false, seen: "0 words added (at least 50)", artifacts: [] });
  const more = await begin();
  await more.change("document", id, 3, `${content}\n\n## New\n\n${text(60).replaceAll("word", "other")} and more.`);
  expect(await look(more.run, target)).toMatchObject({ isGreen: true, artifacts: [{ kind: "document", id }] });
});

test("of a page in which a sentence is mended the words as it stands count, if a judge reads it; else those that were added", async () => {
  const content = `# Letter\n\n${text(200)}. It costs 2765.`;
  const id = await old("document", "Letter", content);
  const target = has({ documentId: id, wordsAtLeast: 150 });
  const { run, change } = await begin();
  const judged = { ...run, isJudged: true };
  await change("document", id, 2, `${content} `);
  expect(await look(judged, target)).toMatchObject({ isGreen: false, seen: "0 words added (at least 150)" });
  const later = await begin();
  await later.change("document", id, 3, content.replace("It costs 2765.", "It costs 2775."));
  expect(await look({ ...later.run, isJudged: true }, target)).toMatchObject({
    isGreen: true,
    seen: "203 words, 2 of them added (at least 150)",
    artifacts: [{ kind: "document", id }],
  });
  expect(await look({ ...later.run, isJudged: true }, has({ documentId: id, wordsAtLeast: 300 }))).toMatchObject({
    isGreen: false,
  });
  expect(await look({ ...later.run, isJudged: false }, target)).toMatchObject({ isGreen: false });
});

test("a source counts only if the run has opened it", async () => {
  const { run, make } = await begin();
  await make("document", "Paper", { content: `${text(60)} https://a.example/one https://b.example/two` });
  const wanted = has({ sourcesAtLeast: 1 });
  expect(await look(run, wanted)).toMatchObject({
    isGreen: false,
    seen: "60 words, 0 sources (at least 1; 2 cited but never opened by this run)",
  });
  await inJournal(run, "tool:0", "effect", {
    tool: "web_fetch",
    outcome: { ok: true, text: "Address: https://a.example/one/\nTitle: One" },
  });
  await inJournal(run, "tool:1", "effect", {
    tool: "web_fetch",
    outcome: { ok: false, text: "Address: https://b.example/two" },
  });
  expect((await look(run, wanted)).isGreen).toBe(true);
  expect((await look(run, has({ sourcesAtLeast: 2 }))).isGreen).toBe(false);
});

test("a document of the user's that is cited counts once the run has read it", async () => {
  const { run, make } = await begin();
  const source = await old("document", "Minutes", "What was said.");
  await make("document", "Paper", { content: `${text(60)} [minutes](/projects/${project}/documents/${source})` });
  expect((await look(run, has({ sourcesAtLeast: 1 }))).isGreen).toBe(false);
  const result = {
    tool: "get_document",
    outcome: { ok: true, text: `document ${source} in project ${project}\ntitle: Minutes` },
  };
  await inJournal(run, "tool:0", "tool", { result, artifacts: [] });
  expect((await look(run, has({ sourcesAtLeast: 1 }))).isGreen).toBe(true);
});

test("A2: a document that the run wrote itself is no source, though it read it again", async () => {
  const { run, make } = await begin();
  const note = await make("document", "Note", { content: text(50) });
  await make("document", "Paper", { content: `${text(60)} [note](/projects/${project}/documents/${note})` });
  const outcome = { ok: true, text: `document ${note} in project ${project}\ntitle: Note` };
  await inJournal(run, "tool:0", "tool", { result: { tool: "get_document", outcome }, artifacts: [] });
  expect((await look(run, has({ titleLike: "Paper", sourcesAtLeast: 1 }))).isGreen).toBe(false);
});

test("A2: an address in other forms is the page that was opened", async () => {
  const { run, make } = await begin();
  await make("document", "Paper", { content: `${text(60)} https://a.example/one?utm_source=x#part` });
  await inJournal(run, "tool:0", "effect", {
    tool: "web_fetch",
    outcome: { ok: true, text: "Address: https://WWW.A.Example/one/\nTitle: One" },
  });
  expect((await look(run, has({ sourcesAtLeast: 1 }))).isGreen).toBe(true);
});

// A3: what is taken away is a change, too.
const section = "## Prices\n\nThe hall costs 200.\n";
const oldPage = `# Paper\n\n${text(60)}.\n\n${section}`;
const lost = has({ titleLike: "Old", headings: ["Paper"] });

test("A3: an old page that only lost a section passes where a judge reads it, and only there", async () => {
  const { run, change } = await begin();
  const id = await old("document", "Old page", oldPage);
  await change("document", id, 2, oldPage.replace(section, ""));
  const found = await look({ ...run, isJudged: true }, lost);
  expect(found).toMatchObject({ isGreen: true, seen: "changed without adding words, the heading" });
  expect(found.artifacts).toEqual([{ kind: "document", id }]);
  expect((await look({ ...run, isJudged: false }, lost)).isGreen).toBe(false);
});

test("A3, otherwise: one that only got blanks and comments does not", async () => {
  const { run, change } = await begin();
  await change("document", await old("document", "Old page too", oldPage), 2, `${oldPage}\u200b&nbsp;<!-- seen -->`);
  expect(await look({ ...run, isJudged: true }, lost)).toMatchObject({ isGreen: false, artifacts: [] });
});

test("A3: links that the run made are counted, those that were there are not", async () => {
  const { run } = await begin();
  const [one, two, three] = [await old("task", "One"), await old("task", "Two"), await old("task", "Three")];
  const link = (identity: { userId: typeof user; runId?: string }, dst: string) =>
    world.db.asUser(identity, (tx) =>
      createEdge(
        tx,
        { id: realEnv.newId(), projectId: project, by: user },
        { src_id: one, rel: "depends_on", dst_id: dst, props: {} },
      ),
    );
  await link({ userId: user }, two);
  const target: CheckTarget = { kind: "entity_count", entity: "link", atLeast: 1 };
  expect(await look(run, target)).toMatchObject({ isGreen: false, seen: "0 links (at least 1)" });
  await link({ userId: user, runId: run.id }, three);
  expect(await look(run, target)).toMatchObject({ isGreen: true, seen: "1 link (at least 1)" });
});

test("A3: what the run put into the bin counts as changed, unless it had made it itself", async () => {
  const { run, make } = await begin();
  const bin = (id: string) =>
    world.db.asUser({ userId: user, runId: run.id }, (tx) => setEntityBinned(tx, "task", project, id, true));
  const target: CheckTarget = { kind: "entity_count", entity: "task", atLeast: 1 };
  await bin(await make("task", "For nothing"));
  expect((await look(run, target)).isGreen).toBe(false);
  await bin(await old("task", "Of last year"));
  expect((await look(run, target)).isGreen).toBe(true);
});

test("tasks that the run made are counted, old ones that it only touched are not", async () => {
  const { run, make, change } = await begin();
  await change("task", await old("task", "Old task", "Do it"), 2, "Do it ");
  await make("task", "One");
  await make("task", "Two");
  const target: CheckTarget = { kind: "entity_count", entity: "task", atLeast: 2 };
  expect(await look(run, target)).toMatchObject({ isGreen: true, seen: "2 tasks (at least 2)" });
  expect(await look(run, { ...target, atLeast: 1 })).toMatchObject({ isGreen: true, seen: "2 tasks (at least 1)" });
  expect((await look(run, { ...target, atLeast: 3 })).isGreen).toBe(false);
});

test("content that only got a blank is the state it was in before the run", async () => {
  const { run, make, change } = await begin();
  const id = await old("document", "Page", "Some text");
  await change("document", id, 2, "Some  text\n");
  const fresh = await make("document", "New", { content: "x" });
  const states = await storeProver(world.db).readStates?.(run, [
    { kind: "document", id },
    { kind: "document", id: fresh },
  ]);
  expect(states?.map(({ before, now }) => [before === now, before === null])).toEqual(
    expect.arrayContaining([
      [true, false],
      [false, true],
    ]),
  );
});

test.each(["\u200b", "\u00a0\u2003", "<!-- seen -->", "&nbsp;<br/>", "\u3164\u2800"])(
  "C: %j is nothing that can be seen: the content is the state it was in",
  async (nothing) => {
    const { run, change } = await begin();
    const id = await old("document", "Page", "Some text");
    await change("document", id, 2, `Some text${nothing}`);
    const [state] = (await storeProver(world.db).readStates?.(run, [{ kind: "document", id }])) ?? [];
    expect(state?.before).toBe(state?.now);
  },
);

test("pages that the platform writes are no evidence for a step, what the run makes is", async () => {
  const { run, make } = await begin();
  const summary = await make("document", "Summary", { type_key: pageTypes.summary });
  const paper = await make("document", "Paper");
  const made = await world.as(user, (tx) => madeByRun(tx, run.id, [summary, paper]));
  expect(made.map(({ id }) => id)).toEqual([paper]);
});

// The judge: asked last, and only when it is time.
const judged: Partial<RunningRun> = {
  checks: [
    makeCheck({ target: has({ wordsAtLeast: 40 }) }),
    makeCheck({ id: "judge:report", target: { kind: "judge", rubric: "good" }, givenBy: "platform" }),
  ],
};

async function withJudge(judge: NonNullable<Witnesses["judge"]>, over: object = {}, words = 60) {
  const { run, make } = await begin();
  await make("document", "Paper", { content: text(words) });
  return storeProver(world.db, { judge }).prove({ ...run, ...judged }, worked(over), journal);
}

const yes: NonNullable<Witnesses["judge"]> = async (_run, checks) => ({
  isGreen: true,
  seen: `read for ${checks.length}`,
  artifacts: [],
});

test("a judge is asked once everything else is green", async () =>
  expect(await withJudge(yes)).toMatchObject({ proofs: [{ isGreen: true }, { isGreen: true, seen: "read for 1" }] }));

test.each([
  ["another check is red", {}, 10],
  ["the planner says that work remains", { claim: makeClaim({ exitSignal: false, remainingWork: ["x"] }) }, 60],
  ["the iteration failed", { error: failure("e") }, 60],
])("a judge is not asked while %s", async (_what, over, words) => {
  const proven = await withJudge(yes, over, words);
  expect(proven).toMatchObject({ proofs: [{}, { isGreen: false, seen: expect.stringMatching(/^not asked yet/) }] });
});

test("a judge is asked where the model says nothing about the end", async () =>
  expect(await withJudge(yes, { claim: null })).toMatchObject({ proofs: [{}, { seen: "read for 1" }] }));

test.each([{ kind: "hold", untilMs: 5, why: "busy" } as const, { kind: "auth", why: "no key" } as const])(
  "a judge whose provider says $kind is a fault of the provider's",
  async (fault) =>
    expect(
      await withJudge(async () => {
        throw new Interrupted({ kind: "held", fault });
      }),
    ).toEqual({ kind: "held", fault }),
);

test("a judge that there is no money for is red, and says so", async () => {
  const refused = new Interrupted({ kind: "refused", why: "no room" });
  const proven = await withJudge(async () => {
    throw refused;
  });
  expect(proven).toMatchObject({ proofs: [{}, { isGreen: false, seen: expect.stringContaining("may cost") }] });
});

test("a check that was aborted is not red: the checks end there", async () => {
  const { run } = await begin();
  const stop = new AbortController();
  const answers: NonNullable<Witnesses["answers"]> = async (_url, signal) => {
    stop.abort();
    signal.throwIfAborted();
    return { isGreen: true, seen: "it answers" };
  };
  const checks = [makeCheck({ target: { kind: "http_ok", url: "https://example.com" } })];
  const stopping = { ...journal, signal: stop.signal };
  const proven = await storeProver(world.db, { answers }).prove({ ...run, checks }, worked(), stopping);
  expect(proven).toEqual({ kind: "aborted" });
});
