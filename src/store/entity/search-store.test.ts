import { expect, test } from "vitest";
import { storeWorld } from "../../../test/helpers/store-world.ts";
import { realEnv } from "../../main/env.ts";
import { createEntity, setEntityBinned } from "./entity-store.ts";
import { lengthenSnippets, search, toSnippet } from "./search-store.ts";

const { as, makeUser, makeProject, makeEntity } = await storeWorld();
const user = await makeUser();
const project = await makeProject(user, "Lighthouse restoration");

async function write(title: string, content: string): Promise<string> {
  const id = realEnv.newId();
  await as(user, (tx) => createEntity(tx, "document", { id, projectId: project, by: user }, { title, content }));
  return id;
}

const find = async (q: string, over: { kind?: string; project_id?: string } = {}) =>
  (await as(user, (tx) => search(tx, { q, limit: 20, ...over }))).map(({ title }) => title);

test("finds words in titles, bodies and names of projects", async () => {
  await write("Lantern room", "The glass of the beacon was cracked.");
  expect(await find("beacon")).toEqual(["Lantern room"]);
  expect(await find("lantern")).toEqual(["Lantern room"]);
  expect(await find("lighthouse")).toEqual(["Lighthouse restoration"]);
});

test("finds other forms of a word, and the beginning of the last one", async () => {
  await write("Painting plan", "Scaffolds are rented weekly.");
  expect(await find("scaffold")).toEqual(["Painting plan"]);
  expect(await find("rented scaff")).toEqual(["Painting plan"]);
});

test("a match in the title comes before one in the body", async () => {
  await write("Other", "mentions gearwheel once");
  await write("Gearwheel", "about something else");
  expect(await find("gearwheel")).toEqual(["Gearwheel", "Other"]);
});

test("quotes, minus and or work as on the web", async () => {
  await write("One", "copper roof tiles");
  await write("Two", "copper pipes");
  expect(await find('"copper roof"')).toEqual(["One"]);
  expect(await find("copper -pipes")).toEqual(["One"]);
  expect((await find("tiles or pipes")).sort()).toEqual(["One", "Two"]);
});

test("nothing of other people is found, nor what lies in the bin", async () => {
  const stranger = await makeUser();
  await makeEntity(stranger, await makeProject(stranger), "task", "Zeppelin of a stranger");
  const mine = await makeEntity(user, project, "task", "Zeppelin of mine");
  expect(await find("zeppelin")).toEqual(["Zeppelin of mine"]);
  await as(user, (tx) => setEntityBinned(tx, "task", project, mine, true));
  expect(await find("zeppelin")).toEqual([]);
});

test("can be narrowed to a kind or a project", async () => {
  const other = await makeProject(user, "Other");
  await makeEntity(user, other, "goal", "Harbour goal");
  await makeEntity(user, project, "task", "Harbour task");
  expect(await find("harbour", { kind: "goal" })).toEqual(["Harbour goal"]);
  expect(await find("harbour", { project_id: project })).toEqual(["Harbour task"]);
});

test.each(["'", "\\", "&|!", "((", ":*", "a:* & b", "%", "ß", "日本", "or", '"', "-", "   x   "])(
  "odd input %j is searched for, not an error",
  async (q) => {
    await expect(find(q)).resolves.toBeInstanceOf(Array);
  },
);

test("a document of two megabytes is kept and found by its beginning", async () => {
  await write("Huge", `mastodon ${"word ".repeat(400_000)}`);
  expect(await find("mastodon")).toEqual(["Huge"]);
});

test("a body of nothing but different words does not overflow the index", async () => {
  const words = Array.from({ length: 40_000 }, (_, n) => `w${n.toString(36)}`).join(" ");
  await expect(write("Dictionary", words.repeat(3))).resolves.toBeTypeOf("string");
});

test("a snippet marks what was searched for", async () => {
  await write("Clockwork", "before the pendulum after");
  const [hit] = await as(user, (tx) => search(tx, { q: "pendulum", limit: 1 }));
  expect(hit?.snippet.filter(({ match }) => match).map(({ text }) => text)).toEqual(["pendulum"]);
});

test("a snippet is cut at the database's marks", () => {
  expect(toSnippet("a \u0001b\u0002 c\u0003d")).toEqual([
    { text: "a ", match: false },
    { text: "b", match: true },
    { text: " c … d", match: false },
  ]);
});

test("for people, a hit whose title alone matched shows the beginning of its text", async () => {
  const text = "Three coats of white paint, each of them dry before the next one is begun.";
  await write("Varnish", text);
  const hits = await as(user, async (tx) => lengthenSnippets(tx, await search(tx, { q: "varnish", limit: 1 })));
  expect(hits.map(({ snippet }) => snippet)).toEqual([[{ text, match: false }]]);
});
