import { expect, test } from "vitest";
import { toolWorld } from "../../test/helpers/tool-world.ts";

const { call, done, contextOf, makeUser, makeProject, makeEntity, addMember } = await toolWorld();

const lines = (text: string) => text.split("\n").filter((line) => line.startsWith("- "));

test("search finds things of every kind, search_documents only documents", async () => {
  const user = await makeUser();
  const project = await makeProject(user, "Walrus project");
  const task = await makeEntity(user, project, "task", "Walrus task");
  const document = await makeEntity(user, project, "document", "Walrus page");
  const context = contextOf(user, { projectIds: [project] });
  const everything = (await done(context, "search", { query: "walrus" })).text;
  for (const id of [project, task, document]) expect(everything).toContain(id);
  const pages = (await done(context, "search_documents", { query: "walrus" })).text;
  expect(lines(pages)).toHaveLength(1);
  expect(pages).toContain(document);
  expect(lines((await done(context, "search", { query: "walrus", kind: "task" })).text)).toHaveLength(1);
});

test("a run finds only what lies in its scope, however much there is elsewhere", async () => {
  const user = await makeUser();
  const [one, two, hidden] = [await makeProject(user), await makeProject(user), await makeProject(user)];
  for (let n = 0; n < 8; n++) await makeEntity(user, hidden, "task", "Heron heron heron");
  const found = [await makeEntity(user, one, "task", "A heron"), await makeEntity(user, two, "task", "Some heron")];
  const { text } = await done(contextOf(user, { projectIds: [one, two] }), "search", { query: "heron", limit: 5 });
  expect(lines(text)).toHaveLength(2);
  for (const id of found) expect(text).toContain(id);
});

test("strangers' things are not found", async () => {
  const [user, stranger] = [await makeUser(), await makeUser()];
  await makeEntity(user, await makeProject(user), "task", "Ibex");
  expect((await done(contextOf(stranger), "search", { query: "ibex" })).text).toMatch(/^No hits/);
});

test("passages are shown without the marks of the database", async () => {
  const user = await makeUser();
  const context = contextOf(user, { projectIds: [await makeProject(user)] });
  await done(context, "create_document", { title: "Page", content: "Long ago the lemur slept.\nUnder a tree." });
  const { text } = await done(context, "search_documents", { query: "lemur" });
  expect(text).toContain(`"Page": Long ago the lemur slept. Under a tree`);
});

test("hits are untrusted words where one is someone else's", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const project = await makeProject(user);
  await addMember(project, other, "editor");
  await makeEntity(user, project, "task", "Own tapir");
  const context = contextOf(user, { projectIds: [project] });
  expect(await done(context, "search", { query: "tapir" })).toMatchObject({ isUntrusted: false });
  await makeEntity(other, project, "task", "Their tapir");
  expect(await done(context, "search", { query: "tapir" })).toMatchObject({ isUntrusted: true });
});

test("at most fifty hits are shown, and they fit", async () => {
  const user = await makeUser();
  const project = await makeProject(user);
  const context = contextOf(user, { projectIds: [project] });
  const content = `quokka ${"word ".repeat(100)}`;
  for (let n = 0; n < 52; n++)
    await done(context, "create_document", { title: `Quokka ${n} ${"y".repeat(300)}`, content });
  expect(await call(context, "search", { query: "quokka", limit: 51 })).toMatchObject({ code: "invalid_arguments" });
  const { text } = await done(context, "search", { query: "quokka", limit: 50 });
  expect(lines(text)).toHaveLength(50);
  expect(text).toContain("There may be more");
});
