import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { hostileStrings } from "../../../test/helpers/hostile-strings.ts";
import { AppError } from "../../lib/app-error.ts";
import { backendNames } from "../backends/backend.ts";
import { type ConfigInput, loadConfig } from "./config.ts";
import { addMissingSettings, configJsonSchema, describeSettings, renderNewConfig } from "./config-text.ts";
import { parseDuration } from "./durations.ts";

const file = "/home/ann/run-agent/config.hcl";

type Given = Partial<Omit<ConfigInput, "readFile" | "task" | "project">> & {
  readonly hcl?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly task?: Readonly<Record<string, unknown>>;
  readonly project?: Readonly<Record<string, unknown>>;
};

function load({ hcl, files = {}, task, project, ...over }: Given) {
  const all: Readonly<Record<string, string | undefined>> = { ...files, ...(hcl === undefined ? {} : { [file]: hcl }) };
  return loadConfig({
    file,
    readFile: (name) => all[name] ?? null,
    environment: {},
    options: {},
    homeFolder: "/home/ann",
    workingFolder: "/work",
    task: task === undefined ? null : { file: "TASK-CONFIG.yaml", content: task },
    project: project === undefined ? null : { file: "PROJECT-CONFIG.yaml", content: project },
    ...over,
  });
}

function problems(given: Given): readonly string[] {
  try {
    load(given);
  } catch (error) {
    if (error instanceof AppError && error.code === "config_invalid") return error.message.split("\n");
    throw error;
  }
  return [];
}

test("without any source there are the defaults", () => {
  const { config, shown } = load({});
  expect(config).toMatchObject({
    projectsRoot: "/home/ann/run-agent",
    maxRestarts: 100,
    timeBudgetMs: 86_400_000,
    costBudgetMicroUsd: null,
    restartDelayMs: 1_000,
    childWaitTimeoutMs: 300_000,
    childPollIntervalMs: 1_000,
    idleThresholdMs: 300_000,
    stuckThresholdMs: 900_000,
    maxDelegationDepth: 16,
    agents: [],
    selection: { strategy: "round-robin", order: [], cooldownMs: 600_000 },
    serve: { host: "127.0.0.1", port: 14_355 },
  });
  expect(new Set(shown.map(({ source }) => source))).toEqual(new Set(["default"]));
});

describe("the stronger source wins", () => {
  const layers = {
    "command line": { options: { max_restarts: "1" } },
    environment: { environment: { RUN_AGENT_MAX_RESTARTS: "2" } },
    task: { task: { max_restarts: 3 } },
    project: { project: { max_restarts: 4 } },
    global: { hcl: "max_restarts = 5" },
  } as const satisfies Record<string, Given>;
  const names = Object.keys(layers) as (keyof typeof layers)[];
  /** Every set of sources, by the bits of a number. */
  const sets = Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_each, at) => bits & (1 << at)));

  test.each(sets.map((set) => [set.join(" + ") || "none", set] as const))("%s", (_, set) => {
    const { config, shown } = load(Object.assign({}, ...set.map((name) => layers[name])));
    const winner = set[0];
    expect(config.maxRestarts).toBe(winner === undefined ? 100 : names.indexOf(winner) + 1);
    expect(shown.find(({ name }) => name === "max_restarts")?.source).toBe(winner ?? "default");
  });
});

test("lists replace, maps are merged, and each value knows where it came from", () => {
  const { config, shown } = load({
    hcl: 'selection {\n  strategy = "weights"\n  order = ["claude", "codex"]\n  weights = { claude = 2, codex = 1 }\n}',
    task: { selection: { order: ["gemini"], weights: { codex: 5 } } },
    environment: { RUN_AGENT_SELECTION_WEIGHTS: "gemini=7" },
  });
  expect(config.selection.order).toEqual(["gemini"]);
  expect(Object.fromEntries(config.selection.weights)).toEqual({ claude: 2, codex: 5, gemini: 7 });
  const from = Object.fromEntries(shown.map((each) => [each.name, each.from]));
  expect(from).toMatchObject({
    "selection.strategy": `${file}:2:3`,
    "selection.order": "TASK-CONFIG.yaml",
    "selection.weights.claude": `${file}:4:15`,
    "selection.weights.codex": "TASK-CONFIG.yaml",
    "selection.weights.gemini": "RUN_AGENT_SELECTION_WEIGHTS",
    "serve.port": null,
  });
});

describe("agents", () => {
  test("have the type of their name, or one of their own", () => {
    const { config } = load({
      hcl: 'agent "claude" {\n  model = "sonnet"\n}\nagent "mine" {\n  type = "command"\n  command = ["./a.sh", "-q"]\n}',
    });
    expect(config.agents).toMatchObject([
      { name: "claude", type: "claude", model: "sonnet", command: [], token: null },
      { name: "mine", type: "command", command: ["./a.sh", "-q"] },
    ]);
  });

  test("of the Agent Client Protocol have a command and what they may do", () => {
    const hcl = (more: string) => `agent "mine" {\n type = "acp"\n command = ["gemini", "--acp"]\n${more}}`;
    const acp = (given: Given) => load(given).config.agents[0]?.acp;
    expect(acp({ hcl: hcl("") })).toEqual({ permissions: "allow", mode: null, keyVariable: null });
    expect(acp({ hcl: hcl(' permissions = "ask"\n mode = "plan"\n key_variable = "KEY"\n') })).toEqual({
      permissions: "ask",
      mode: "plan",
      keyVariable: "KEY",
    });
    expect(acp({ hcl: hcl(""), environment: { RUN_AGENT_AGENT_MINE_PERMISSIONS: "reject" } })?.permissions).toBe(
      "reject",
    );
    expect(() => load({ hcl: hcl(' permissions = "all"\n') })).toThrow("must be one of allow, ask, reject");
    expect(() => load({ hcl: 'agent "acp" {\n model = "x"\n}' })).toThrow("has type acp and needs a command");
  });

  const token = ({ config }: ReturnType<typeof load>) => config.agents[0]?.token?.reveal();

  test.each<[string, Given]>([
    ["inline", { hcl: 'agent "claude" {\n token = "key"\n}' }],
    ["in a file", { hcl: 'agent "claude" {\n token_file = "~/key"\n}', files: { "/home/ann/key": "key\n" } }],
    [
      "in a file beside the config",
      { hcl: 'agent "claude" {\n token_file = "k"\n}', files: { "/home/ann/run-agent/k": "key" } },
    ],
    ["in a file with an @", { hcl: 'agent "claude" {\n token = "@~/key"\n}', files: { "/home/ann/key": " key " } }],
    ["in a variable", { environment: { RUN_AGENT_AGENT_CLAUDE_TOKEN: "key" } }],
    [
      "in a variable instead of the file that the config names",
      { hcl: 'agent "claude" {\n token_file = "/none"\n}', environment: { RUN_AGENT_AGENT_CLAUDE_TOKEN: "key" } },
    ],
  ])("a token %s", (_, given) => expect(token(load(given))).toBe("key"));

  test("a variable finds the agent whose name has a hyphen", () => {
    const { config } = load({
      hcl: 'agent "my-agent" {\n type = "acp"\n command = ["x"]\n}',
      environment: { RUN_AGENT_AGENT_MY_AGENT_MODEL: "small" },
    });
    expect(config.agents).toMatchObject([{ name: "my-agent", model: "small" }]);
  });
});

const mistakes: readonly [string, Given, string][] = [
  [
    "a syntax error",
    { hcl: "max_restarts = 3\nidle_threshold = 5m" },
    `${file}:2:18: A number with anything behind it`,
  ],
  [
    "a name that is not a setting",
    { hcl: "max_restart = 3" },
    `${file}:1:1: "max_restart" is not a setting. Did you mean max_restarts?`,
  ],
  [
    "a value of the wrong kind",
    { hcl: '\n  max_restarts = "3"' },
    `${file}:2:3: max_restarts must be a whole number from 0 to 10000.`,
  ],
  ["a number out of range", { hcl: "max_delegation_depth = 0" }, "must be a whole number from 1 to 100"],
  ["a duration without a unit", { hcl: "idle_threshold = 300" }, "must be a duration from"],
  ["a duration that is none", { hcl: 'idle_threshold = "soon"' }, "must be a duration from"],
  ["a block for a value", { hcl: "max_restarts {\n}" }, "max_restarts must be a whole number"],
  ["a value for a block", { hcl: 'serve = "x"' }, `${file}:1:1: serve must be a block.`],
  [
    "a strategy that does not exist",
    { hcl: 'selection {\n strategy = "random"\n}' },
    `${file}:2:2: selection.strategy must be one of round-robin, lucky, weights.`,
  ],
  ["weights that are missing", { hcl: 'selection {\n strategy = "weights"\n}' }, "needs a weight above 0"],
  [
    "an agent that does not exist",
    { hcl: 'selection {\n order = ["cluade"]\n}' },
    'names "cluade", which is not an agent. Did you mean claude?',
  ],
  [
    "an agent without a type",
    { hcl: 'agent "mine" {\n model = "x"\n}' },
    `${file}:2:2: agents.mine.model belongs to an agent without a type`,
  ],
  ["a command that is missing", { hcl: 'agent "x" {\n type = "command"\n}' }, "has type command and needs a command"],
  [
    "an agent that is there twice",
    { hcl: 'agent "claude" {}\nagent "claude" {}' },
    `${file}:2:1: The block agent is there twice.`,
  ],
  ["an agent without a name", { hcl: "agent {\n}" }, 'needs one name: agent "claude"'],
  ["a block with a name too many", { hcl: 'serve "x" {\n}' }, "The block serve takes no name."],
  ["the plural", { hcl: 'agents "claude" {\n}' }, "The block agents takes no name."],
  [
    "two ways to give a token",
    { hcl: 'agent "claude" {\n token = "a"\n token_file = "b"\n}' },
    "are both set. Keep one of them.",
  ],
  [
    "a token file that is missing",
    { hcl: 'agent "claude" {\n token_file = "/none"\n}' },
    `${file}:2:2: agents.claude.token_file names /none, which is missing.`,
  ],
  [
    "a token file that is empty",
    { hcl: 'agent "claude" {\n token_file = "/e"\n}', files: { "/e": "\n" } },
    "which is empty",
  ],
  [
    "an address that is none",
    { hcl: 'agent "claude" {\n base_url = "ftp://x"\n}' },
    "must be an address that begins with https://",
  ],
  [
    "stuck before idle",
    { hcl: 'idle_threshold = "5m"\nstuck_threshold = "5m"' },
    `${file}:2:1: stuck_threshold must be longer than idle_threshold.`,
  ],
  [
    "an unknown variable",
    { environment: { RUN_AGENT_MAX_RESTART: "1" } },
    "RUN_AGENT_MAX_RESTART is not a setting. Did you mean RUN_AGENT_MAX_RESTARTS?",
  ],
  [
    "a variable that is no number",
    { environment: { RUN_AGENT_MAX_RESTARTS: "many" } },
    "RUN_AGENT_MAX_RESTARTS: max_restarts must be a whole number",
  ],
  [
    "an unknown option",
    { options: { "selection.strategi": "lucky" } },
    'command line: "selection.strategi" is not a setting. Did you mean selection.strategy?',
  ],
  ["a slip in the task's file", { task: { max_restart: 1 } }, 'TASK-CONFIG.yaml: "max_restart" is not a setting.'],
];

describe("what cannot be used is told with its place", () => {
  test.each(mistakes)("%s", (_, given, wanted) => expect(problems(given).join("\n")).toContain(wanted));

  test("all at once", () => {
    expect(problems({ hcl: 'max_restarts = -1\nserve {\n port = "x"\n}\nnonsense = 1' })).toHaveLength(3);
  });
});

describe("files that agents can write", () => {
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["projects_root", { projects_root: "/tmp" }],
    ["agents.claude.token_file", { agents: { claude: { token_file: "/etc/passwd" } } }],
    ["agents.claude.base_url", { agents: { claude: { base_url: "https://evil.test" } } }],
    ["agents.mine.permissions", { agents: { mine: { permissions: "allow" } } }],
    ["agents.claude.command", { agents: { claude: { command: ["x"] } } }],
    ["serve.host", { serve: { host: "0.0.0.0" } }],
  ])("cannot set %s", (name, task) => {
    expect(problems({ task })).toEqual([`TASK-CONFIG.yaml: ${name} cannot be set here. Set it in config.hcl.`]);
    expect(problems({ project: task })).toEqual([
      `PROJECT-CONFIG.yaml: ${name} cannot be set here. Set it in config.hcl.`,
    ]);
  });

  test("may hold dependencies and keys of other programs", () => {
    expect(problems({ task: { depends_on: ["x"], theirs: { a: 1 } } })).toEqual([]);
  });

  test("may choose a model", () => {
    expect(load({ task: { agents: { claude: { model: "opus" } } } }).config.agents).toMatchObject([{ model: "opus" }]);
  });
});

test("null takes a limit away", () => {
  const { config } = load({ hcl: "cost_budget = 2.50", options: { time_budget: "null", cost_budget: "null" } });
  expect(config).toMatchObject({ timeBudgetMs: null, costBudgetMicroUsd: null });
  expect(load({ hcl: "cost_budget = 2.50" }).config.costBudgetMicroUsd).toBe(2_500_000);
});

test("paths begin at the file that names them, and variables where the command was called", () => {
  expect(load({ hcl: 'projects_root = "agents"' }).config.projectsRoot).toBe("/home/ann/run-agent/agents");
  expect(load({ environment: { RUN_AGENT_ROOT: "agents" } }).config.projectsRoot).toBe("/work/agents");
  expect(load({ options: { projects_root: "~/x" } }).config.projectsRoot).toBe("/home/ann/x");
});

describe("a key is never shown", () => {
  const key = "sk-live-Qx7Zr9";

  test("not by what is loaded", () => {
    const loaded = load({ hcl: `agent "claude" {\n  token = "${key}"\n}` });
    const all = `${inspect(loaded, { depth: null, showHidden: true })}${JSON.stringify(loaded)}${String(loaded.config.agents[0]?.token)}`;
    expect(all).not.toContain(key);
    expect(loaded.shown.find(({ name }) => name === "agents.claude.token")?.value).toBe("(set)");
  });

  test.each([
    `agent "claude" {\n  token = ${key}\n}`,
    `agent "claude" {\n  token = 5${key}\n}`,
    `agent "claude" {\n  token "${key}"\n}`,
    `agent "claude" {\n  token = "${key}\n}`,
    `agent "claude" {\n  token = "${key}" "${key}"\n}`,
    `agent "claude" {\n  token = ["${key}"]\n}`,
    `agent "claude" {\n  token = { x = "${key}" }\n}`,
    `agent "claude" {\n  token = "${key}"\n  token_file = "x"\n}`,
    `agent "claude" {\n  token = "\${${key}}"\n}`,
    `agent "claude" {\n  token = <<${key}\nx`,
    `agent "claude" {\n  base_url = "${key}"\n  type = "${key}"\n}`,
    `agent "x" {\n  token = "${key}"\n}`,
    `token = "${key}"`,
  ])("not by what is said about %j", (hcl) => {
    const said = problems({ hcl });
    expect(said.length).toBeGreaterThan(0);
    expect(said.join("\n")).not.toContain("Qx7Zr9");
  });
});

test("5,000 hostile values are refused in words or taken, in every source", () => {
  for (const [index, text] of hostileStrings(5_000).entries()) {
    const name = ["max_restarts", "agents.x.model", "selection.order", "serve.host", text][index % 5] ?? "";
    const given: Given =
      index % 2 === 0
        ? { options: { [name]: text } }
        : { task: { [text]: text, selection: { order: [text], weights: { [text]: 1 } } } };
    for (const problem of problems(given)) expect(problem).toMatch(/^[^\n]+\.$|\?$/);
  }
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

describe("as text", () => {
  test("a new config changes nothing, and its lines are the defaults", () => {
    const text = renderNewConfig();
    expect(load({ hcl: text }).config).toEqual(load({}).config);
    const uncommented = text
      .replace(/# Agents that[\s\S]*?(?=\n# Which)/, "")
      .replaceAll(/^# (?=[a-z_]+ (?:=|\{)|\}| {2})/gm, "");
    expect(uncommented).toContain("\nmax_restarts = 100\n");
    expect(load({ hcl: uncommented }).config).toEqual(load({}).config);
  });

  test("what is there stays, and what is missing comes behind it", () => {
    const text = "max_restarts = 3 # mine\nserve {\n  port = 1\n}";
    const next = addMissingSettings(file, text) ?? "";
    expect(next.startsWith(`${text}\n`)).toBe(true);
    expect(next.match(/max_restarts/g)).toHaveLength(1);
    expect(next).toContain("# time_budget = ");
    expect(load({ hcl: next }).config.maxRestarts).toBe(3);
    expect(addMissingSettings(file, next)).toBeNull();
  });

  test("a config with a mistake is not added to", () => {
    expect(() => addMissingSettings(file, "a = [")).toThrow(`${file}:1:5: This list does not end`);
  });

  test("every setting is described", () => {
    const described = describeSettings();
    expect(described.length).toBeGreaterThan(20);
    expect(described.filter(({ about }) => !/^\S.*\.$/.test(about))).toEqual([]);
    expect(configJsonSchema()).toMatchObject({
      properties: {
        max_restarts: { type: "integer", default: 100 },
        agents: {
          additionalProperties: { properties: { type: { anyOf: [{ enum: backendNames }, { type: "null" }] } } },
        },
      },
    });
  });
});

test.each([
  ["a task lowers it", { task: { cost_budget: 2 } }, 2],
  ["a task cannot raise it", { task: { cost_budget: 50 } }, 5],
  ["a task cannot lift it", { task: { cost_budget: null } }, 5],
  ["a project cannot raise it", { project: { cost_budget: 50 } }, 5],
  ["a task cannot raise what its project has lowered", { project: { cost_budget: 2 }, task: { cost_budget: 3 } }, 2],
  ["a variable can", { environment: { RUN_AGENT_COST_BUDGET: "50" } }, 50],
  ["an option can", { options: { cost_budget: "null" } }, null],
])("what a task may cost: %s", (_what, given, dollars) => {
  const { costBudgetMicroUsd } = load({ hcl: "cost_budget = 5", ...given }).config;
  expect(costBudgetMicroUsd).toBe(dollars === null ? null : dollars * 1_000_000);
});

test.each([
  ["90s", 90_000],
  ["5m", 300_000],
  ["1h30m", 5_400_000],
  ["7d", 604_800_000],
  ["250ms", 250],
  ["0.5s", 500],
  ["0s", 0],
  ["", null],
  ["5", null],
  ["m", null],
  ["-5m", null],
  ["5 m", null],
  ["5m ", null],
  ["9".repeat(50), null],
])("%j is %j milliseconds", (text, ms) => expect(parseDuration(text)).toBe(ms));
