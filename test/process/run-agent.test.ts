import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, expect, test } from "vitest";
import { makeFolder, makeRoot, makeRun, makeTask, removeFolders, variablesOf } from "../helpers/runner-root.ts";

afterAll(removeFolders);

const program = fileURLToPath(new URL("../../bin/run-agent.js", import.meta.url));
let home: string;
beforeEach(() => {
  home = makeFolder();
});

const surroundings = (more: Readonly<Record<string, string>> = {}) => ({
  HOME: home,
  PATH: process.env.PATH ?? "",
  ...more,
});

function run(
  args: readonly string[],
  env = surroundings(),
  input = "",
): Promise<{ code: number | null; out: string; words: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { env, cwd: home }, (_error, out, words) =>
      resolve({ code: child.exitCode, out, words }),
    );
    child.stdin?.end(input);
  });
}

test("the version is told without loading settings, schemas, a server or a database", async () => {
  const tell = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from "node:module";
    const seen = [];
    registerHooks({ load(url, context, next) { seen.push(url); return next(url, context); } });
    process.on("exit", () => process.stderr.write(seen.join("\\n")));`)}`;
  mkdirSync(path.join(home, "run-agent"));
  writeFileSync(path.join(home, "run-agent", "config.hcl"), "broken");
  const ran = await new Promise<{ out: string; words: string }>((resolve) => {
    execFile(
      process.execPath,
      ["--import", tell, program, "--version"],
      { env: surroundings() },
      (_error, out, words) => resolve({ out, words }),
    );
  });
  expect(ran.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(ran.words).toContain("src/main/run-agent.ts");
  expect(
    ran.words.split("\n").filter((url) => /zod|yaml|pino|\/pg|kysely|src\/(server|db|store|engine)\//.test(url)),
  ).toEqual([]);
});

test("a task, a message and an answer, from process to process", async () => {
  const created = await run(["task", "create", "-p", "garden"], surroundings(), "Water the plants\n");
  expect(created).toMatchObject({ code: 0, out: expect.stringMatching(/^task-\S+-water-the-plants\n$/) });
  const question = await run(["bus", "post", "-t", "water", "--type", "QUESTION", "Which tap?"]);
  expect(question).toMatchObject({ code: 0, out: expect.stringMatching(/^MSG-\S+\n$/), words: "" });

  const waiting = run(["bus", "poll", "-t", "water", "--wait", "--since-id", question.out.trim(), "--json"]);
  await run(
    ["bus", "post", "-t", "water", "--type", "ANSWER", "--parents", question.out.trim()],
    surroundings(),
    "The left one",
  );
  expect(JSON.parse((await waiting).out).messages).toMatchObject([{ type: "ANSWER", body: "The left one" }]);
});

test("an agent posts to the bus of its task from anywhere", async () => {
  const root = makeRoot({ folder: path.join(home, "run-agent") });
  const agentRun = makeRun(root, makeTask(root));
  const posted = await run(
    ["bus", "post", "from the shed"],
    surroundings({ ...variablesOf(agentRun), HOME: "/nowhere" }),
  );
  expect(posted).toMatchObject({ code: 0, words: "" });
  expect((await run(["bus", "read", "-t", "water"])).out).toContain("from the shed");
});

test("a stream ends well on Ctrl-C", async () => {
  await run(["task", "create", "-p", "garden", "Water the plants"]);
  const child = spawn(process.execPath, [program, "bus", "stream", "-t", "water"], { env: surroundings(), cwd: home });
  const seen = once(child.stdout, "data");
  const posting = setInterval(() => void run(["bus", "post", "-t", "water", "tick"]), 500);
  expect(String((await seen)[0])).toContain("tick");
  clearInterval(posting);
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("a key in the settings is not printed", async () => {
  const key = "sk-live-Qx7Zr9";
  mkdirSync(path.join(home, "run-agent"));
  writeFileSync(path.join(home, "run-agent", "config.hcl"), `agent "claude" {\n  token = "${key}"\n}\n`);
  const shown = await run(["config", "show", "--json"]);
  expect(shown).toMatchObject({ code: 0, words: "" });
  expect(shown.out).toContain("agents.claude.token");
  expect(shown.out).not.toContain(key);
  writeFileSync(path.join(home, "run-agent", "config.hcl"), `agent "claude" {\n  token = ${key}\n}\n`);
  const broken = await run(["config", "validate"]);
  expect(broken).toMatchObject({
    code: 2,
    out: "",
    words: expect.stringContaining("config.hcl:2:11: Write text in quotes"),
  });
  expect(broken.words).not.toContain(key);
});
