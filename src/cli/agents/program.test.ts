import { afterAll, describe, expect, test } from "vitest";
import { makeAgentCli } from "../../../test/helpers/agent-cli.ts";
import { makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { renderReference } from "../reference.ts";
import { buildAgentProgram } from "./program.ts";
import { hostForAgentHelp } from "./reference.ts";

afterAll(removeFolders);
const { run } = makeAgentCli();

describe("wrong usage ends with 2, says what was meant and whose help to read", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["an unknown command", ["lst"], ["Unknown command 'lst'. Did you mean list?", "Help: run-agent --help"]],
    ["an unknown verb", ["bus", "pst"], ["Did you mean post?", "Help: run-agent bus --help"]],
    ["an unknown option", ["list", "--stats", "x"], ["Did you mean --status?"]],
    ["a status that does not exist", ["list", "--status", "finished"], ["Allowed choices are new, blocked"]],
    ["a duration without a unit", ["gc", "--older-than", "7"], ["Give a duration such as 90s"]],
    ["a size that is none", ["gc", "--bus-max-size", "much"], ["Give a size such as 500KB"]],
    ["a setting without a value", ["config", "--set", "x"], ["Give it as name=value"]],
    ["a family without a verb", ["bus"], ["Usage: run-agent bus", "post a message"]],
    ["no project", ["bus", "post", "x"], ["Name one with --project, or a task with --task."]],
  ])("%s", async (_, args, words) => {
    const ran = await run(args);
    expect(ran).toMatchObject({ code: 2, out: "" });
    for (const each of words) expect(ran.words).toContain(each);
  });
});

test("without a name the task that was made last is meant", async () => {
  const { run: own, root } = makeAgentCli();
  expect(await own(["output"])).toMatchObject({ code: 3, words: expect.stringContaining("No tasks in") });
  const [first, last] = [makeTask(root), makeTask(root)].map(({ taskId }) => taskId).toSorted();
  const meant = async (...args: string[]) => /task-\S+/.exec((await own(["output", ...args])).words)?.[0];
  expect([await meant(), await meant("-t", "last"), await meant("-t", first ?? "")]).toEqual([last, last, first]);
});

test("help and version go to stdout and end with 0", async () => {
  expect(await run(["--version"])).toEqual({ code: 0, out: "1.2.3\n", words: "" });
  const help = await run(["bus", "post", "--help"]);
  expect(help).toMatchObject({ code: 0, words: "" });
  expect(help.out).toContain("$ run-agent bus post");
});

test("with --json an error is one JSON value on stderr", async () => {
  const ran = await run(["status", "--json", "-t", "nothing"]);
  expect(ran).toMatchObject({ code: 3, out: "" });
  expect(JSON.parse(ran.words)).toMatchObject({ error: { code: "not_found" } });
});

test("no message asks for a variable to be set", async () => {
  for (const args of [["bus", "post", "x"], ["output"], ["facts"], ["task", "create", "x"], ["task", "state"]])
    expect((await run(args)).words).not.toMatch(/environment|variable|JRUN|export |\$/);
});

test("every command that does something has an example that parses", async () => {
  const sections = renderReference(buildAgentProgram(hostForAgentHelp), "").split("\n## ").slice(1);
  const doing = sections.filter((section) => !section.includes("\nCommands:\n"));
  expect(doing.length).toBeGreaterThan(15);
  for (const section of doing) {
    const found = [...section.matchAll(/^ {2}\$ run-agent (.*)$/gm)].map((match) => match[1] ?? "");
    expect(found.length, section.split("\n")[0]).toBeGreaterThan(0);
    for (const line of found) expect((await run([...words(line), "--help"])).code, line).toBe(0);
  }
});

/** As a shell would take it apart, up to where it redirects. */
const words = (line: string): readonly string[] =>
  [...line.replace(/ (?:>>?|<) .*$/, "").matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");

test("completion knows every command", async () => {
  const { out } = await run(["completion", "bash"]);
  expect(out).toContain('"bus post") words="--type --message');
  expect((await run(["completion", "zsh"])).out).toContain("bashcompinit");
});
