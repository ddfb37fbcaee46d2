import { afterEach, expect, test } from "vitest";
import { makeRoot, makeRun, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { claude } from "../backends/claude.ts";
import { codex } from "../backends/codex.ts";
import { command } from "../backends/command.ts";
import { gemini } from "../backends/gemini.ts";
import { buildAgentEnv, buildShimEnv, type EnvRequest } from "./agent-env.ts";

afterEach(removeFolders);

function build(variables: Record<string, string>, over: Partial<EnvRequest> = {}) {
  const root = makeRoot();
  const run = makeRun(root, makeTask(root));
  return buildAgentEnv({
    variables,
    binFolder: "/bin/ours",
    command: { env: {}, lets: [] },
    run,
    tag: "t",
    parentRunId: "",
    conductorUrl: null,
    tempFolder: "/tmp/own",
    homeFolder: null,
    ...over,
  });
}

test("nothing passes but what every program needs and what the backend lets through", () => {
  const variables = {
    HOME: "/home/me",
    LC_ALL: "C",
    LD_PRELOAD: "/x.so",
    NODE_OPTIONS: "-r x",
    AWS_SECRET: "s",
    MINE: "1",
  };
  const env = build(variables, { command: { env: {}, lets: ["MINE"] } });
  expect(env).toMatchObject({ HOME: "/home/me", LC_ALL: "C", MINE: "1", TMPDIR: "/tmp/own", JRUN_PARENT_ID: "" });
  for (const name of ["LD_PRELOAD", "NODE_OPTIONS", "AWS_SECRET"]) expect(env).not.toHaveProperty(name);
});

const vendorKeys =
  "ANTHROPIC_API_KEY OPENAI_API_KEY CODEX_API_KEY GEMINI_API_KEY PERPLEXITY_API_KEY XAI_API_KEY AWS_SECRET_ACCESS_KEY GITHUB_TOKEN";

test.each([
  [claude, ["ANTHROPIC_API_KEY"]],
  [codex, ["CODEX_API_KEY"]],
  [gemini, ["GEMINI_API_KEY"]],
  [command, []],
])("$name gets the keys of its own vendor alone", (backend, own) => {
  const keys = vendorKeys.split(" ");
  const variables = Object.fromEntries(keys.map((name) => [name, "secret"]));
  const request = { promptFile: "/p", workFolder: "/w", ownFolder: "/o", model: null, baseUrl: null, session: null };
  const env = build(variables, { command: backend.command({ ...request, token: null, program: ["agent"] }) });
  expect(keys.filter((name) => name in env)).toEqual(own);
});

test("root and settings are passed on, so that a run-agent of the agent works on the same", () => {
  const env = build({ RUN_AGENT_ROOT: "/forged" }, { rootFolder: "/root", configFile: "/etc/config.hcl" });
  expect(env).toMatchObject({ RUN_AGENT_ROOT: "/root", RUN_AGENT_CONFIG: "/etc/config.hcl" });
});

test.each(["JRUN_ID", "JRUN_TASK_ID", "JRUN_MESSAGE_BUS", "RUN_AGENT_TAG", "CLAUDECODE", "jrun_id", "CONDUCTOR_ROOT"])(
  "%s cannot be set from outside",
  (name) => {
    const env = build({ [name]: "forged" }, { command: { env: { [name]: "forged" }, lets: [name] } });
    expect(Object.values(env)).not.toContain("forged");
  },
);

test("our own folder comes first in PATH, once", () => {
  expect(build({ PATH: "/a:/bin/ours:/b:" }).PATH).toBe("/bin/ours:/a:/b");
  expect(build({}).PATH).toBe("/bin/ours:/usr/local/bin:/usr/bin:/bin");
});

test("a HOME of its own", () => {
  expect(build({ HOME: "/home/me" }, { homeFolder: "/run/home" }).HOME).toBe("/run/home");
});

test.each([
  ["a zero byte", { A: "a\0b" }],
  ["half of a character", { A: "\ud800" }],
  ["an equals sign in a name", { "A=B": "c" }],
])("%s is refused by name", (_what, env) => {
  expect(() => build({}, { command: { env, lets: [] } })).toThrow("that a process cannot have");
});

test("a shim knows nothing of the run that its starter works in", () => {
  const variables = { PATH: "/a", RUN_AGENT_TAG: "parent", JRUN_ID: "parent", ANTHROPIC_API_KEY: "k" };
  expect(buildShimEnv({ variables }, "t")).toEqual({ PATH: "/a", RUN_AGENT_SHIM: "t" });
});
