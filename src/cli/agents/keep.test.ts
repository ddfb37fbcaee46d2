import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type AgentCli, makeAgentCli } from "../../../test/helpers/agent-cli.ts";
import { makeRun, makeTask, removeFolders, variablesOf } from "../../../test/helpers/runner-root.ts";
import { inTask, type TaskFolder } from "../../runner/layout/runner-root.ts";

afterAll(removeFolders);

let cli: AgentCli;
beforeEach(() => {
  cli = makeAgentCli();
});

const out = async (...args: readonly string[]) => (await cli.run(args)).out;
const json = async (...args: readonly string[]) => JSON.parse(await out(...args, "--json"));

describe("task", () => {
  test("create makes project and task, and prints the id alone", async () => {
    const { code, out: id, words } = await cli.run(["task", "create", "-p", "garden", "Water", "the plants"]);
    expect(code).toBe(0);
    expect(id).toMatch(/^task-\d{8}-\d{6}-water-the-plants\n$/);
    expect(words).toBe(`Created task ${id.trim()} in garden.\n`);
    expect(await out("task", "show", "-t", "water")).toBe("Water the plants\n");
  });

  test("create takes the objective from stdin as it is", async () => {
    const text = "# Über\n\n- ünï  \n\ttab";
    const { out: id } = await cli.run(["task", "create", "-p", "garden", "--name", "mine"], { input: text });
    expect(id).toContain("-mine\n");
    expect((await json("task", "show", "-t", "mine")).text).toBe(text);
  });

  test.each([
    ["no objective", ["-p", "garden"], "Give an objective"],
    ["no project", ["x"], "Name the project with --project."],
    ["a project that is no name", ["-p", "../x", "y"], "is not a valid project id"],
    [
      "a dependency that is not there",
      ["-p", "garden", "--depends-on", "task-20260101-000000-abc", "x"],
      "There is no task",
    ],
  ])("create with %s makes nothing", async (_, args, words) => {
    const ran = await cli.run(["task", "create", ...args]);
    expect(ran.code).not.toBe(0);
    expect(ran.words).toContain(words);
    expect((await json("list")).tasks).toEqual([]);
  });

  test("state is shown and written", async () => {
    makeTask(cli.root);
    expect((await cli.run(["task", "state", "-t", "water"])).words).toBe("No state was written yet.\n");
    await cli.run(["task", "state", "-t", "water", "Half", "done"]);
    expect(await out("task", "state", "-t", "water")).toBe("Half done\n");
    // A text that begins like an option is a text.
    await cli.run(["task", "state", "- [x] Find the tap\n- [ ] Water", "-t", "water"]);
    expect(await out("task", "state", "-t", "water")).toBe("- [x] Find the tap\n- [ ] Water\n");
  });

  describe("delete", () => {
    let task: TaskFolder;
    beforeEach(() => {
      task = makeTask(cli.root);
    });

    test("needs a yes, an option or an answer", async () => {
      expect(await cli.run(["task", "delete", "-t", "water"])).toMatchObject({ code: 2 });
      const terminal = { isInteractive: true, ask: async () => "n" };
      expect((await cli.run(["task", "delete", "-t", "water"], { terminal })).words).toBe("Nothing was deleted.\n");
      expect(existsSync(task.path)).toBe(true);
      await cli.run(["task", "delete", "-t", "water"], { terminal: { ...terminal, ask: async () => "y" } });
      expect(existsSync(task.path)).toBe(false);
    });

    test("is refused while a run is active", async () => {
      makeRun(cli.root, task);
      const ran = await cli.run(["task", "delete", "-t", "water", "--yes"]);
      expect(ran).toMatchObject({
        code: 5,
        words: expect.stringContaining("Stop it before deleting it: run-agent stop"),
      });
      expect(existsSync(task.path)).toBe(true);
    });

    test("does not guess the task from the folder", async () => {
      const ran = await cli.run(["task", "delete", "--yes"], { workingFolder: task.path });
      expect(ran).toMatchObject({ code: 2, words: "Name the task with --task.\nHelp: run-agent task delete --help\n" });
    });
  });
});

test("facts are added, listed and shown", async () => {
  const task = makeTask(cli.root);
  expect((await cli.run(["facts", "-t", "water"])).words).toContain("No facts yet.");
  const project = (await out("facts", "add", "-p", "garden", "Taps", "The left one is broken")).trim();
  const own = await cli.run(["facts", "add", "-t", "water", "Hose"], { input: "10 m\n" });
  writeFileSync(path.join(task.path, "TASK-FACTS-by-hand.md"), "no front matter");
  const { facts } = await json("facts", "-t", "water");
  expect(facts).toMatchObject([
    { file: project, scope: "project", title: "Taps", run_id: "user", problem: null },
    { file: own.out.trim(), scope: "task", title: "Hose", text: "10 m\n", problem: null },
    { file: "TASK-FACTS-by-hand.md", problem: expect.stringContaining("no front matter") },
  ]);
  expect(await out("facts", "show", "taps", "-p", "garden")).toBe("# Taps\n\nThe left one is broken\n");
  expect(await out("facts", "show", "hose", "-t", "water")).toBe("# Hose\n\n10 m\n");
  expect((await cli.run(["facts", "show", "none", "-p", "garden"])).code).toBe(3);
});

describe("config", () => {
  const file = () => path.join(cli.root.folder, "config.hcl");

  test("init creates a file for its owner only, and completes it later", async () => {
    expect(await cli.run(["config", "init"])).toEqual({ code: 0, out: `${file()}\n`, words: "Created the file.\n" });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect((await cli.run(["config", "init"])).words).toBe("Every setting is mentioned already.\n");
    writeFileSync(file(), "max_restarts = 7 # mine\n");
    expect((await cli.run(["config", "init"])).words).toBe("Added the missing settings.\n");
    expect(readFileSync(file(), "utf8")).toMatch(/^max_restarts = 7 # mine\n[\s\S]*# serve \{/);
    expect((await json("config")).settings).toContainEqual({
      name: "max_restarts",
      value: 7,
      source: "global",
      from: `${file()}:1:1`,
    });
  });

  test("init keeps a link to the file", async () => {
    const real = path.join(cli.home, "dotfile.hcl");
    writeFileSync(real, "");
    symlinkSync(real, file());
    await cli.run(["config", "init"]);
    expect(readFileSync(real, "utf8")).toContain("# max_restarts = 100");
  });

  test("validate tells every problem with its place and ends with 2", async () => {
    writeFileSync(file(), "max_restarts = -1\nserve {\n  prt = 1\n}\n");
    const ran = await cli.run(["config", "validate"]);
    expect(ran).toEqual({
      code: 2,
      out: "",
      words: `${file()}:3:3: "serve.prt" is not a setting. Did you mean port?\n${file()}:1:1: max_restarts must be a whole number from 0 to 10000.\n`,
    });
    expect(await cli.run(["config", "validate", "--config", "none.hcl"])).toMatchObject({ code: 2 });
  });

  test("show has the settings of the task that is meant", async () => {
    const task = makeTask(cli.root);
    writeFileSync(inTask(task, "config"), "max_restarts: 2\ndepends_on: []\n");
    writeFileSync(path.join(cli.root.folder, "garden", "PROJECT-CONFIG.yaml"), "max_restarts: 3\ntime_budget: 1h\n");
    const from = async (...args: readonly string[]) =>
      Object.fromEntries(
        (await json("config", ...args)).settings.map((each: { name: string; source: string }) => [
          each.name,
          each.source,
        ]),
      );
    expect(await from("-t", "water")).toMatchObject({ max_restarts: "task", time_budget: "project" });
    expect(await from("-p", "garden")).toMatchObject({ max_restarts: "project" });
    expect(await from("--set", "max_restarts=1", "-t", "water")).toMatchObject({ max_restarts: "command line" });
    expect(await from()).toMatchObject({ max_restarts: "default" });
  });

  test("a root that is named has a config of its own, and projects_root moves the projects", async () => {
    writeFileSync(file(), 'projects_root = "../agents"\n');
    await cli.run(["task", "create", "-p", "garden", "x y z"]);
    expect(existsSync(path.join(cli.home, "agents", "garden"))).toBe(true);
    const named = await json("config", "--root", "other");
    expect(named.file).toBe(path.join(cli.home, "other", "config.hcl"));
    expect(named.settings[0]).toMatchObject({
      name: "projects_root",
      value: path.join(cli.home, "other"),
      source: "command line",
    });
  });

  test("a config that is broken stops what needs it, and nothing else", async () => {
    const run = makeRun(cli.root, makeTask(cli.root));
    writeFileSync(file(), "broken");
    expect(await cli.run(["list"])).toMatchObject({ code: 2, out: "" });
    const environment = variablesOf(run);
    expect((await cli.run(["bus", "post", "still works"], { environment })).code).toBe(0);
  });
});

test("a key in the settings is in no output of any command", async () => {
  const key = "sk-live-Qx7Zr9";
  makeTask(cli.root);
  writeFileSync(path.join(cli.root.folder, "config.hcl"), `agent "claude" {\n  token = "${key}"\n}\n`);
  const environment = { RUN_AGENT_AGENT_CODEX_TOKEN: `${key}-2`, OPENAI_API_KEY: `${key}-3` };
  const commands = [
    "config",
    "config show --json",
    "config validate --json",
    "config schema --json",
    "config init --json",
    "list --json",
    "status --json",
    "status -t water --json",
    "gc --dry-run --json",
    "task show -t water --json",
    "facts -t water --json",
    "bus read -t water --json",
    "config --set agents.claude.typ=x",
    "config --set max_restarts=x --json",
    "--help",
  ];
  for (const command of commands) {
    const ran = await cli.run(command.split(" "), { environment });
    expect(ran.out + ran.words, command).not.toContain(key);
    expect(ran.out + ran.words).not.toBe("");
  }
});
