import { expect, test } from "vitest";
import { AppError } from "../../lib/app-error.ts";
import { loadConfig } from "./config.ts";

type Given = {
  readonly hcl?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, string>>;
  readonly task?: Readonly<Record<string, unknown>>;
};

function problems({ hcl, task, ...over }: Given): string {
  try {
    loadConfig({
      file: "/home/ann/run-agent/config.hcl",
      readFile: () => hcl ?? null,
      environment: {},
      options: {},
      homeFolder: "/home/ann",
      workingFolder: "/work",
      task: task === undefined ? null : { file: "TASK-CONFIG.yaml", content: task },
      project: null,
      ...over,
    });
    return "";
  } catch (error) {
    if (error instanceof AppError && error.code === "config_invalid") return error.message;
    throw error;
  }
}

test.each([
  ["a model", "command", 'model = "x"', "acp"],
  ["a key", "command", 'token = "x"', "acp"],
  ["an address", "command", 'base_url = "https://x.test"', "acp"],
  ["a mode", "claude", 'mode = "plan"', "acp"],
  ["an answer to requests", "codex", 'permissions = "ask"', "acp"],
  ["a program", "openai", 'command = ["x"]', "claude"],
])("%s does nothing for an agent of type %s: told; another type takes it", (_, type, line, other) => {
  const command = line.startsWith("command") ? "" : 'command = ["y"]\n';
  const agent = (of: string) =>
    `agent "mine" {\n type = "${of}"\n ${of === "claude" || of === "codex" ? "" : command} ${line}\n}`;
  expect(problems({ hcl: agent(type) })).toContain(`has no effect on an agent of type ${type}. Remove it.`);
  expect(problems({ hcl: agent(other) })).toBe("");
});

test("weights need their strategy", () => {
  const weights = "weights = { claude = 2 }";
  expect(problems({ hcl: `selection {\n ${weights}\n}` })).toBe(
    'selection.weights has no effect without selection.strategy = "weights".',
  );
  expect(problems({ hcl: `selection {\n strategy = "weights"\n ${weights}\n}` })).toBe("");
});

test.each<[string, Given]>([
  ["file", { hcl: 'deploy_ssh_key = "/k"' }],
  ["variable", { environment: { RUN_AGENT_DEPLOY_SSH_KEY: "/k" } }],
  ["option", { options: { deploy_ssh_key: "/k" } }],
  ["task's file", { task: { deploy_ssh_key: "/k" } }],
])(
  "a key for a repository that is not there, in a %s, is told to do nothing; keys of other programs are not",
  (_, given) => {
    expect(problems(given)).toContain('"deploy_ssh_key" is not a setting. Projects are not kept in a git repository');
    expect(problems({ task: { another_programs_key: "/k" } })).toBe("");
  },
);
