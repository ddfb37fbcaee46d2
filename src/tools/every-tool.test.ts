import { expect, test } from "vitest";
import { anyId, invoke, registry, toolWorld } from "../../test/helpers/tool-world.ts";
import { type EntityKind, entityKinds, kindSpecs } from "../domain/entity/kinds.ts";
import type { UserId } from "../domain/identity/identity.ts";
import { toolTags } from "../domain/policy/egress.ts";
import { createEdge } from "../store/entity/edge-store.ts";
import { setEntityBinned, updateEntity } from "../store/entity/entity-store.ts";
import { argsSchema, schemaMax } from "./args-schema.ts";
import { builtInTools } from "./built-in.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";
import { updateName } from "./update-entity.ts";

const { db, call, done, contextOf, makeUser, makeProject, makeEntity, makeWorkspace, addMember, as } =
  await toolWorld();

type Things = Readonly<Record<EntityKind | "parent" | "project" | "link", string>>;

/** Good arguments for every tool, about things of one project. What is not in here has not been thought of. */
const argsFor: Readonly<Record<string, (things: Things) => object>> = {
  list_projects: () => ({}),
  get_project: ({ project }) => ({ project_id: project }),
  create_project: () => ({ name: "New" }),
  update_project: ({ project }) => ({ project_id: project, name: "Other" }),
  ...Object.fromEntries(
    entityKinds.flatMap((kind) => [
      [`list_${kindSpecs[kind].plural}`, ({ project }: Things) => ({ project_id: project })],
      [`get_${kind}`, (things: Things) => ({ id: things[kind] })],
      [`create_${kind}`, ({ project }: Things) => ({ title: "New", project_id: project })],
      [updateName(kind), (things: Things) => ({ id: things[kind], title: "Other" })],
      [`bin_${kind}`, (things: Things) => ({ id: things[kind] })],
      [`restore_${kind}`, (things: Things) => ({ id: things[kind] })],
    ]),
  ),
  append_document: ({ document }) => ({ id: document, text: "More" }),
  edit_document: ({ document }) => ({ id: document, edits: [{ under_heading: "Heading", insert: "More" }] }),
  move_document: ({ document, parent }) => ({ id: document, parent_id: parent }),
  list_document_tree: ({ project }) => ({ project_id: project }),
  search: ({ project }) => ({ query: "thing", project_id: project }),
  search_documents: ({ project }) => ({ query: "thing", project_id: project }),
  link: ({ task, goal }) => ({ src_id: task, rel: "supports", dst_id: goal }),
  unlink: ({ link }) => ({ link_id: link }),
  list_links: ({ project }) => ({ project_id: project }),
  write_note: () => ({ title: "Note", content: "Text" }),
  start_branch: () => ({ title: "Branch" }),
  write_summary: () => ({ content: "Text" }),
  read_result: () => ({ ref: "i1/tool:0" }),
};

const names = builtInTools.map(({ name }) => name);
const toolOf = (name: string) => builtInTools.find((tool) => tool.name === name);
const isRestore = (name: string) => name.startsWith("restore_");
/** They work in the run's own place, whatever their arguments. */
const inProject = ["write_note", "start_branch", "write_summary"];
const aboutRun = ["read_result"];
const withoutPlace = ["list_projects", "create_project"];
const aboutThings = names.filter((name) => ![...inProject, ...aboutRun, ...withoutPlace].includes(name));
const writes = names.filter((name) => toolOf(name)?.kind === "write");
/** They name one thing by its id. */
const aboutOneThing = names.filter((name) =>
  /^(get|update|bin)_(task|goal|plan|plan_record|milestone|document)$|^(append|edit|move)_document$|^link$/.test(name),
);

async function setUp(name = "") {
  const user = await makeUser();
  const project = await makeProject(user);
  const ids = await Promise.all(entityKinds.map((kind) => makeEntity(user, project, kind, "A thing")));
  const byKind = Object.fromEntries(entityKinds.map((kind, at) => [kind, ids[at] ?? ""])) as Record<EntityKind, string>;
  await as(user, async (tx) => {
    const page = { id: byKind.document, projectId: project, version: 1 };
    await updateEntity(tx, "document", page, { content: "# Heading\n\nText" });
  });
  const parent = await makeEntity(user, project, "document", "Parent");
  const link = anyId();
  const edge = { src_id: byKind.task, rel: "relates_to", dst_id: byKind.plan, props: {} };
  await as(user, (tx) => createEdge(tx, { id: link, projectId: project, by: user }, edge));
  const things: Things = { ...byKind, project, parent, link };
  if (isRestore(name)) await binAll(user, things);
  const runId = anyId();
  const workspace = await makeWorkspace(user, project, runId);
  const context = contextOf(user, { runId, workspace });
  return { user, project, things, context, args: argsFor[name]?.(things) ?? {} };
}

async function binAll(user: UserId, things: Things) {
  for (const kind of entityKinds) await as(user, (tx) => setEntityBinned(tx, kind, things.project, things[kind], true));
}

/** What there is to tell apart two answers, without the ids in them. */
const withoutIds = (outcome: ToolOutcome) => ({
  ...outcome,
  text: outcome.text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>"),
});

test("every tool has been thought of here", () => {
  expect(Object.keys(argsFor).sort()).toEqual([...names].sort());
});

test.each(names)("%s says what it does, takes nothing it does not know, and says what each argument is", (name) => {
  const tool = toolOf(name);
  expect(tool?.description.length).toBeGreaterThan(20);
  const schema = argsSchema(tool ?? expect.fail()) as {
    additionalProperties?: unknown;
    properties?: Record<string, { description?: string }>;
  };
  expect(schema.additionalProperties).toBe(false);
  expect(JSON.stringify(schema).length).toBeLessThan(schemaMax);
  const silent = Object.entries(schema.properties ?? {}).filter(([, { description }]) => !description);
  expect(silent.map(([field]) => field)).toEqual([]);
});

test.each(names)("%s is tagged by what it can do", (name) => {
  const { kind, tags = [] } = toolOf(name) ?? {};
  expect(toolTags).toEqual(expect.arrayContaining([...tags]));
  expect(tags.includes("private")).toBe(kind === "read");
  expect(tags.includes("destructive")).toBe(/^bin_|^unlink$/.test(name));
  expect(tags).not.toContain("egress");
});

test.each(names.filter((name) => !aboutRun.includes(name)))("%s does its work", async (name) => {
  const { context, args } = await setUp(name);
  const outcome = await done(context, name, args);
  expect(outcome.artifacts.length > 0).toBe(toolOf(name)?.kind === "write");
  expect(outcome.summary).not.toBe("");
});

test.each(names)("%s refuses what are no arguments and shows what would be", async (name) => {
  const { context, args } = await setUp();
  const outcome = await call(context, name, { ...args, ids: 7 });
  expect(outcome).toMatchObject({ ok: false, code: "invalid_arguments" });
  expect(outcome.text).toContain('Unrecognized key: "ids"');
  expect(outcome.text).toContain('"additionalProperties":false');
});

test.each(aboutThings)("%s answers a stranger as if there were nothing", async (name) => {
  const { args } = await setUp(name);
  const stranger = contextOf(await makeUser("Stranger"));
  const theirs = await call(stranger, name, args);
  expect(theirs).toMatchObject({ ok: false, code: "not_found" });
  expect(withoutIds(theirs)).toEqual(withoutIds(await call(stranger, name, argsFor[name]?.(nothing()))));
});

test.each(aboutThings)("%s answers a run outside of its scope as if there were nothing", async (name) => {
  const { user, args, context } = await setUp(name);
  const elsewhere: ToolContext = { ...context, projectIds: [await makeProject(user)], workspace: null };
  const outside = await call(elsewhere, name, args);
  expect(outside).toMatchObject({ ok: false, code: "not_found" });
  expect(withoutIds(outside)).toEqual(withoutIds(await call(elsewhere, name, argsFor[name]?.(nothing()))));
});

const nothing = (): Things => {
  const words = [...entityKinds, "parent", "project", "link"] as const;
  return Object.fromEntries(words.map((word) => [word, anyId()])) as Things;
};

test.each(writes.filter((name) => name !== "create_project"))("%s is denied to who may only look", async (name) => {
  const { user, project, context, args } = await setUp(name);
  const viewer = await makeUser("Viewer");
  await addMember(project, viewer, "viewer");
  const before = await stateOf(user, project);
  expect(await call({ ...context, userId: viewer }, name, args)).toMatchObject({ ok: false, code: "denied" });
  expect(await stateOf(user, project)).toEqual(before);
});

test.each(aboutThings.filter((name) => !writes.includes(name)))("%s shows to who may only look", async (name) => {
  const { project, context, args } = await setUp(name);
  const viewer = await makeUser("Viewer");
  await addMember(project, viewer, "viewer");
  await done({ ...context, userId: viewer }, name, args);
});

test.each(aboutOneThing)("%s leaves alone what lies in the bin", async (name) => {
  const { user, project, things, context, args } = await setUp(name);
  await binAll(user, things);
  const before = await stateOf(user, project);
  expect(await call(context, name, args)).toMatchObject({ ok: false, code: "conflict" });
  expect(await stateOf(user, project)).toEqual(before);
});

test.each(writes)("%s makes the same things when it is done again with the same ids", async (name) => {
  const { user, context, args } = await setUp(name);
  const tool = toolOf(name) ?? expect.fail();
  const ids = Array.from({ length: 5 }, anyId);
  const outcomes: ToolOutcome[] = [];
  const once = (isLast: boolean) =>
    db.asUser({ userId: user, runId: context.runId ?? "" }, async (tx) => {
      const left = [...ids];
      outcomes.push(await invoke(tool, tx, { ...context, newId: () => left.shift() ?? expect.fail() }, args));
      if (!isLast) throw new Error("not kept");
    });
  await once(false).catch(() => {});
  await once(true);
  expect(outcomes).toHaveLength(2);
  expect(outcomes[0]).toMatchObject({ ok: true });
  expect(outcomes[1]).toEqual(outcomes[0]);
});

test.each(writes)("%s leaves a transaction it was refused in fit for use", async (name) => {
  const { context, args } = await setUp(name);
  const viewerOfNothing = await makeUser();
  const tool = registry.find(name);
  await db.asUser({ userId: viewerOfNothing }, async (tx) => {
    if (tool.ok) await invoke(tool.tool, tx, { ...context, userId: viewerOfNothing }, args);
    await tx.selectFrom("onto_projects").select("id").execute();
  });
});

/** How many writes a project has seen. */
async function stateOf(user: UserId, project: string) {
  return as(user, (tx) =>
    tx.selectFrom("onto_change_counters").select("last_seq").where("project_id", "=", project).execute(),
  );
}
