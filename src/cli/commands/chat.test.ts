import { expect, test } from "vitest";
import { chatWorld } from "../../../test/helpers/chat-world.ts";
import { runInTest, type TestHost } from "../../../test/helpers/cli-host.ts";
import { insertRun } from "../../../test/helpers/run-rows.ts";
import { realEnv } from "../../main/env.ts";
import { listEntities } from "../../store/entity/entity-store.ts";

const world = await chatWorld();
const ann = await world.signUp("ann");

/** Somebody sits in front of it and types these lines. */
function person(...lines: readonly string[]): TestHost {
  const left = [...lines];
  return { terminal: { isInteractive: true, columns: 80, ask: async () => left.shift() ?? null } };
}

const run = (args: readonly string[], host: TestHost = {}) =>
  runInTest(args, { services: { connect: async () => world.connectAs(ann) }, env: realEnv, ...host });

const answer = (text: string) => world.script(() => ({ text }));

/** First it wants a task, then it is content. */
async function wantsTask(): Promise<string> {
  const project = await world.makeProject(ann);
  world.script((_, at) =>
    at === 0
      ? { toolCalls: [{ name: "create_task", args: { project_id: project, title: "Buy tiles" } }] }
      : { text: "So be it." },
  );
  return project;
}

const tasks = async (project: string) =>
  (await world.as(ann, (tx) => listEntities(tx, "task", project, { limit: 9 } as never))).items.length;

test("a text is answered once, as data", async () => {
  answer("Nothing is due.");
  expect(await run(["chat", "What is due?"])).toMatchObject({ code: 0, out: "Nothing is due.\n" });
});

test("a text may come from stdin", async () => {
  answer("Read it.");
  const { out } = await run(["chat"], { terminal: { readInput: async () => "A question" } });
  expect(out).toBe("Read it.\n");
});

test("with --json it is one value with the conversation and the message", async () => {
  answer("Nothing is due.");
  const { code, out, words } = await run(["chat", "What is due?", "--json"]);
  expect(JSON.parse(out)).toMatchObject({
    chat_id: expect.any(String),
    url: expect.stringContaining("/chat/"),
    message: { text: "Nothing is due.", state: "complete" },
  });
  expect([code, words]).toEqual([0, ""]);
});

test("on a terminal the answer is written once, as it comes", async () => {
  world.script(() => ({ text: "One two three. ".repeat(10).trim(), slowMs: 60 }));
  const { out } = await run(["chat", "Count"], person());
  expect(out).toBe(`${"One two three. ".repeat(10).trim()}\n`);
});

test("escape sequences of an answer do not reach the terminal", async () => {
  answer("red \u001b[31m alert");
  expect((await run(["chat", "Hi"], person())).out).not.toContain("\u001b");
});

test("a conversation goes on until its input ends, and the model knows what was said", async () => {
  world.script((_, at) => ({ text: `Answer ${at + 1}.` }));
  const { code, out, words } = await run(["chat"], person("First", "", "Second"));
  expect([code, out]).toEqual([0, "Answer 1.\nAnswer 2.\n"]);
  expect(world.lab.requests.at(-1)?.messages.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["First", "Answer 1.", "Second"]),
  );
  expect(words).toMatch(/homework chat --session [0-9a-f-]{36}/);
});

test("a change is shown and made after a yes", async () => {
  const project = await wantsTask();
  const { out, words } = await run(["chat", "Make it"], person("y"));
  expect(words).toContain("create task “Buy tiles”");
  expect([out, await tasks(project)]).toEqual(["So be it.\n", 1]);
});

test("a change is not made by pressing Enter", async () => {
  const project = await wantsTask();
  await run(["chat", "Make it"], person(""));
  expect(await tasks(project)).toBe(0);
});

test("where nobody can be asked it waits, and says how to decide", async () => {
  const project = await wantsTask();
  const { words } = await run(["chat", "Make it"]);
  expect(words).toContain("create task “Buy tiles”");
  const command = /homework (chat --session \S+ --approve)/.exec(words)?.[1]?.split(" ") ?? [];
  expect(await tasks(project)).toBe(0);
  expect((await run(command)).out).toBe("So be it.\n");
  expect(await tasks(project)).toBe(1);
});

test("deciding where nothing waits is a conflict", async () => {
  answer("Fine.");
  await run(["chat", "Hello"]);
  expect((await run(["chat", "--session", "last", "--approve"])).code).toBe(5);
});

test("a conversation about a run begins with what is known about it", async () => {
  const runId = await insertRun(world.admin, ann.id, "stopped");
  answer("It was paused.");
  expect((await run(["chat", "--run", runId, "Why did it stop?"])).out).toBe("It was paused.\n");
  const [background] = world.lab.requests.at(-1)?.messages ?? [];
  expect(background?.text).toContain("Objective: Write the report");
  expect(background?.text).toContain("You paused it");
});

test("an answer that failed ends the command with 1 and says why", async () => {
  world.script(() => ({ status: 401 }));
  const { code, words } = await run(["chat", "Hello"]);
  expect([code, words]).toEqual([1, expect.stringContaining("key")]);
});

const wrong: readonly (readonly [string, readonly string[], number])[] = [
  ["an empty text", ["chat", " "], 2],
  ["a text that is too long", ["chat", "x".repeat(20_001)], 2],
  ["a conversation that is not there", ["chat", "Hi", "--session", "0198c2a4-0000-7000-8000-00000000dead"], 3],
  ["a conversation and a run at once", ["chat", "Hi", "--session", "last", "--run", "last"], 2],
  ["a decision without a conversation", ["chat", "--approve"], 2],
];
test.for(wrong)("%s is refused", async ([, args, code]) => expect((await run(args)).code).toBe(code));
