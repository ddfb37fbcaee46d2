// The working notes of a run over HTTP: its workspace as a whole, and lists, tree and search that leave them out.

import { expect, test } from "vitest";
import type { UserId } from "../../src/domain/identity/identity.ts";
import type { RunId } from "../../src/domain/run/run.ts";
import { realEnv } from "../../src/main/env.ts";
import { appendScratchpad, ensureWorkspace } from "../../src/store/workspace/workspace-store.ts";
import { insertRun } from "../helpers/run-rows.ts";
import { testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp({ maxConcurrentRuns: 1_000 });
const anna = await app.signUp("anna");
const { projectId } = await makeWorld(app.admin, { [anna.id]: "owner" });
const get = async (url: string) => (await app.call("GET", url, anna.session)).body;

const entry = {
  iteration: 1,
  summary: "Found a hall with a capybara",
  actions: [],
  entities: [],
  planUpdates: [],
  remainingWork: [],
  nextActionHint: null,
  decisionHint: null,
};

async function withWorkspace() {
  const id = (await insertRun(app.admin, anna.id)) as RunId;
  const userId = anna.id as UserId;
  const run = { id, userId, objective: "Find a hall", scope: { kind: "project", projectId } as const };
  const workspace = await app.db.asUser({ userId, runId: id }, async (tx) => {
    const made = await ensureWorkspace(tx, { run, newId: realEnv.newId });
    await appendScratchpad(tx, made, entry);
    return made;
  });
  return { id, ...workspace };
}

test("a workspace comes with the paths and tags of its pages, the edges between them, and the scratchpad", async () => {
  const { id, rootId, scratchpadId } = await withWorkspace();
  const { workspace } = await get(`/api/homework/runs/${id}?include_workspace=true`);
  const page = workspace.documents.find((document: { id: string }) => document.id === scratchpadId);
  expect(page).toMatchObject({ path: `/homework/${id}/scratchpad.md`, tags: [], parent_id: rootId });
  expect(workspace.edges).toEqual([
    { id: expect.any(String), src_id: rootId, rel: "document_has_document", dst_id: scratchpadId },
  ]);
  expect(workspace.scratchpad).toEqual({ document_id: scratchpadId, text: expect.stringContaining("capybara") });
});

test.each([
  ["the list", `/api/projects/${projectId}/documents?limit=100`],
  ["the tree", `/api/projects/${projectId}/document-tree?`],
  ["search", "/api/search?q=capybara&limit=50"],
])("%s leaves working notes out unless they are asked for", async (_name, url) => {
  const { scratchpadId } = await withWorkspace();
  const idsOf = async (query: string) => (await get(`${url}${query}`)).items.map(({ id }: { id: string }) => id);
  expect(await idsOf("")).not.toContain(scratchpadId);
  expect(await idsOf("&include_working_notes=true")).toContain(scratchpadId);
});

test("a run may be about a project that is not there yet", async () => {
  const post = (body: object) => app.call("POST", "/api/homework/runs", anna.session, { body });
  const made = await post({ objective: "Set up a garden project", context_type: "project_create" });
  expect(made.status).toBe(201);
  const { run } = await get(`/api/homework/runs/${made.body.run_id}`);
  expect(run).toMatchObject({ context_type: "project_create", entity_id: null, scope: "global" });
  expect((await post({ objective: "x", context_type: "project_create", entity_id: projectId })).status).toBe(400);
});
