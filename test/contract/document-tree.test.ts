// The tree of documents stays a tree, edges exist once, and a write against an old version changes nothing: also when two
// people do it at the same moment.

import { expect, test } from "vitest";
import { testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp({ poolSize: 8 });
const anna = await app.signUp("anna");
const stranger = await app.signUp("stranger");
const world = await makeWorld(app.admin, { [anna.id]: "owner" });
const foreign = await makeWorld(app.admin, { [stranger.id]: "owner" });
const project = `/api/projects/${world.projectId}`;

async function newDocument(parentId: string | null = null): Promise<string> {
  const body = { title: "Page", parent_id: parentId };
  const answer = await app.call("POST", `${project}/documents`, anna.session, { body });
  expect([answer.status, answer.body.parent_id]).toEqual([201, parentId]);
  return answer.body.id;
}

const move = (id: string, parentId: string | null) =>
  app.call("POST", `${project}/documents/${id}/move`, anna.session, { body: { parent_id: parentId } });

const link = (src: string, dst: string, rel = "document_has_document") =>
  app.call("POST", `${project}/edges`, anna.session, { body: { src_id: src, rel, dst_id: dst } });

async function parents(): Promise<ReadonlyMap<string, string | null>> {
  const { body } = await app.call("GET", `${project}/document-tree`, anna.session);
  return new Map(body.items.map((node: { id: string; parent_id: string | null }) => [node.id, node.parent_id]));
}

/** Whoever is on a way that comes back to itself. */
async function loops(): Promise<readonly string[]> {
  const above = await parents();
  return [...above.keys()].filter((start) => {
    let at = above.get(start) ?? null;
    for (let steps = 0; at !== null && steps < 100; steps++) at = above.get(at) ?? null;
    return at !== null;
  });
}

const cycle = [409, "document_cycle"];
const said = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

test("a document cannot be put below itself, its child or its grandchild", async () => {
  const top = await newDocument();
  const child = await newDocument(top);
  const grandchild = await newDocument(child);
  for (const below of [top, child, grandchild]) expect(said(await move(top, below))).toEqual(cycle);
  const above = await parents();
  expect([above.get(top), above.get(child), above.get(grandchild)]).toEqual([null, top, child]);
});

test("a link cannot make what a move may not", async () => {
  const top = await newDocument();
  const child = await newDocument(top);
  expect(said(await link(child, top))).toEqual(cycle);
  expect(said(await link(top, top))).toEqual([400, "invalid_request"]);
  expect(said(await link(top, world.things.task))).toEqual([400, "invalid_request"]);
  expect(said(await link(world.things.task, top))).toEqual([400, "invalid_request"]);
});

test("a document has one place: a second link to it is refused", async () => {
  const [one, two, child] = [await newDocument(), await newDocument(), await newDocument()];
  expect((await link(one, child)).status).toBe(201);
  expect(said(await link(two, child))).toEqual([409, "already_exists"]);
  expect(said(await link(one, child))).toEqual([409, "already_exists"]);
});

test("two moves at once that each are fine and together make a loop: one is refused", async () => {
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await newDocument(), await newDocument()];
    const answers = await Promise.all([move(a, b), move(b, a)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  }
  expect(await loops()).toEqual([]);
});

test("many moves, new pages and links at once in one tree never fail on our side", async () => {
  const root = await newDocument();
  const pages = [root, ...(await Promise.all(Array.from({ length: 7 }, () => newDocument(root))))];
  const pick = (n: number) => pages[n % pages.length] ?? root;
  const work = Array.from({ length: 60 }, (_, n) => {
    if (n % 3 === 0) return move(pick(n * 7 + 1), pick(n * 3));
    if (n % 3 === 1)
      return app.call("POST", `${project}/documents`, anna.session, { body: { title: "New", parent_id: pick(n) } });
    return link(pick(n), pick(n * 5 + 2));
  });
  const statuses = (await Promise.all(work)).map(({ status }) => status);
  expect([...new Set(statuses)].filter((status) => status >= 500)).toEqual([]);
  expect(app.failures).toEqual([]);
  expect(await loops()).toEqual([]);
});

test("documents may be 32 levels deep, however the last one comes there", async () => {
  let deepest = await newDocument();
  for (let level = 2; level <= 32; level++) deepest = await newDocument(deepest);
  const tooDeep = await app.call("POST", `${project}/documents`, anna.session, {
    body: { title: "33", parent_id: deepest },
  });
  expect(said(tooDeep)).toEqual([400, "invalid_request"]);
  const pair = await newDocument();
  await newDocument(pair);
  expect(said(await move(pair, deepest))).toEqual([400, "invalid_request"]);
  expect((await parents()).get(pair)).toBeNull();
});

test("nobody else's things can be reached through one's own project", async () => {
  const own = await newDocument();
  for (const id of [foreign.things.document, foreign.projectId, crypto.randomUUID()]) {
    expect((await move(own, id)).status).toBe(404);
    expect((await link(own, id, "needs")).status).toBe(404);
    expect((await link(id, own, "needs")).status).toBe(404);
    expect(
      (await app.call("POST", `${project}/documents`, anna.session, { body: { title: "x", parent_id: id } })).status,
    ).toBe(404);
  }
});

test("the same link twice is refused, once removed it can be made again", async () => {
  const { task, goal } = world.things;
  const first = await link(task, goal, "serves");
  expect(said(await link(task, goal, "serves"))).toEqual([409, "already_exists"]);
  await app.call("DELETE", `${project}/edges/${first.body.id}`, anna.session);
  expect((await link(task, goal, "serves")).status).toBe(201);
  const atOnce = await Promise.all(Array.from({ length: 6 }, () => link(goal, task, "serves")));
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
});

const plurals = {
  task: "tasks",
  goal: "goals",
  plan: "plans",
  milestone: "milestones",
  document: "documents",
} as const;

test.for(Object.entries(plurals))("a %s is not changed by who read an older version", async ([kind, plural]) => {
  const url = `${project}/${plural}/${world.things[kind as keyof typeof plurals]}`;
  const first = await app.call("PATCH", url, anna.session, { body: { version: 1, title: "First" } });
  const second = await app.call("PATCH", url, anna.session, { body: { version: 1, title: "Second" } });
  expect(said(second)).toEqual([409, "stale_version"]);
  expect(second.body.error.details.current).toEqual(first.body);
});

test("of ten who change the same version at once, one does, and the others are shown what is there now", async () => {
  const { body: before } = await app.call("GET", project, anna.session);
  const change = (n: number) =>
    app.call("PATCH", project, anna.session, { body: { version: before.version, name: `Name ${n}` } });
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => change(n)));
  const saved = answers.filter(({ status }) => status === 200);
  expect(saved).toHaveLength(1);
  const shown = answers.filter(({ status }) => status === 409).map(({ body }) => body.error.details.current);
  expect(shown).toEqual(Array(9).fill(saved[0]?.body));
});

test("what lies in the bin is not changed until it is restored", async () => {
  const url = `${project}/tasks/${world.things.task}`;
  const { body } = await app.call("DELETE", url, anna.session);
  const answer = await app.call("PATCH", url, anna.session, { body: { version: body.version, title: "x" } });
  expect(said(answer)).toEqual([409, "deleted"]);
});

test("two owners who remove each other at once do not leave the project alone", async () => {
  const shared = await makeWorld(app.admin, { [anna.id]: "owner", [stranger.id]: "owner" });
  const members = `/api/projects/${shared.projectId}/members`;
  const answers = await Promise.all([
    app.call("DELETE", `${members}/${stranger.id}`, anna.session),
    app.call("DELETE", `${members}/${anna.id}`, stranger.session),
  ]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});

test("a project binned while its owners change waits, and does not fail on our side", async () => {
  for (let round = 0; round < 4; round++) {
    const shared = await makeWorld(app.admin, { [anna.id]: "owner", [stranger.id]: "owner" });
    const url = `/api/projects/${shared.projectId}`;
    const answers = await Promise.all([
      app.call("PATCH", `${url}/members/${stranger.id}`, anna.session, { body: { role: "viewer" } }),
      app.call("DELETE", url, anna.session),
      app.call("DELETE", url, stranger.session),
      app.call("POST", `${url}/restore`, anna.session),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  }
});
