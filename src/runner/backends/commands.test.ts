import { isDeepStrictEqual } from "node:util";
import { fc } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { hostileStrings } from "../../../test/helpers/hostile-strings.ts";
import type { AgentCommand, AgentRequest, BackendName } from "./backend.ts";
import { backends, requireBackend } from "./backends.ts";

const plain: AgentRequest = {
  promptFile: "/runs/1/prompt.md",
  workFolder: "/work",
  ownFolder: "/runs/1/own",
  model: null,
  baseUrl: null,
  token: null,
  session: null,
  program: [],
};
const full: AgentRequest = {
  ...plain,
  model: "lab/model",
  baseUrl: "http://127.0.0.1:1/v1",
  token: "the-key",
  session: "the-session",
  program: ["--extra"],
};

const claudeFlags = ["-p", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"];
const codexFlags = ["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
const codexQuiet = ["-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false"];
const codexProvider = (url: string) => [
  ...["-c", 'model_provider="homework"', "-c"],
  `model_providers.homework={name="homework",base_url="${url}",env_key="CODEX_API_KEY",wire_api="responses",request_max_retries=2,stream_max_retries=2}`,
];
const geminiFlags = ["--output-format", "stream-json", "--approval-mode", "yolo", "--skip-trust"];
const opencodeFlags = ["run", "--format", "json", "--auto"];

/** What is asked with nothing configured, and with everything. */
const golden: readonly (readonly [BackendName, readonly string[], readonly string[]])[] = [
  ["claude", claudeFlags, [...claudeFlags, "--model=lab/model", "--resume=the-session", "--extra"]],
  [
    "codex",
    ["exec", ...codexFlags, ...codexQuiet, "-"],
    [
      ...["exec", "resume", ...codexFlags, ...codexProvider("http://127.0.0.1:1/v1"), ...codexQuiet],
      ...["-c", "features.plugins=false", "--model=lab/model", "--extra", "--", "the-session", "-"],
    ],
  ],
  ["gemini", geminiFlags, [...geminiFlags, "--model=lab/model", "--resume=the-session", "--extra"]],
  ["opencode", opencodeFlags, [...opencodeFlags, "--model=lab/model", "--session=the-session", "--extra"]],
];

test.each(golden)("%s is started with these arguments", (name, bare, whole) => {
  const { command } = requireBackend(name);
  expect(command(plain)).toMatchObject({ file: name, args: bare, stdin: "prompt" });
  expect(command(full)).toMatchObject({ file: name, args: whole, stdin: "prompt" });
});

test("a command is started as it is configured", () => {
  const { command } = requireBackend("command");
  expect(command({ ...full, program: ["/bin/agent", "-x", "", "$HOME"] })).toMatchObject({
    file: "/bin/agent",
    args: ["-x", "", "$HOME"],
    env: {},
  });
  expect(() => command({ ...full, program: [] })).toThrow("needs a program");
});

/** Programs of a person's own come from the configuration. */
const programOf = (name: BackendName): readonly string[] =>
  name === "command" ? ["agent"] : name === "acp" ? ["/bin/gemini", "--acp"] : [];

const everywhere = (command: AgentCommand) => [command.file, ...command.args, JSON.stringify(command.files)].join("\n");

test.each(backends.filter(({ name }) => name !== "command"))(
  "$name has its key in its environment only",
  ({ command, name }) => {
    const started = command({ ...full, program: programOf(name) });
    expect(everywhere(started)).not.toContain("the-key");
    expect(JSON.stringify(started.env)).toContain("the-key");
  },
);

test.each(backends)("$name gets neither the prompt's file nor its text as an argument", ({ command, name }) => {
  expect(everywhere(command({ ...full, program: programOf(name) }))).not.toContain("prompt.md");
});

test.each(["claude", "codex", "gemini", "opencode"])("%s keeps a person's login unless it has a key", (name) => {
  const { command } = requireBackend(name);
  const home = /^(?:CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME|XDG_DATA_HOME)$/;
  const homesOf = (request: AgentRequest) => Object.entries(command(request).env).filter(([key]) => home.test(key));
  expect(homesOf(plain)).toEqual([]);
  expect(homesOf(full)).toHaveLength(1);
  expect(homesOf(full)[0]?.[1].startsWith("/runs/1/own/")).toBe(true);
});

test.each(backends)("$name sees no key of the surroundings when it is given one", ({ command, name }) => {
  expect(command({ ...full, program: programOf(name) }).lets).toEqual([]);
});

test("opencode's settings name the endpoint, the model and nothing else", () => {
  const { OPENCODE_CONFIG_CONTENT: settings = "" } = requireBackend("opencode").command(full).env;
  expect(JSON.parse(settings)).toMatchObject({
    model: "lab/model",
    enabled_providers: ["lab"],
    provider: { lab: { options: { apiKey: "the-key", baseURL: "http://127.0.0.1:1/v1" }, models: { model: {} } } },
    autoupdate: false,
    share: "disabled",
  });
});

test.each(backends)("$name puts its files and folders into the run's own folder", ({ command, name }) => {
  const { files, folders } = command({ ...full, program: programOf(name) });
  for (const each of [...folders, ...files.map((file) => file.path)])
    expect(each.startsWith("/runs/1/own/")).toBe(true);
});

/** Every place of a command in which a string of others may stand. */
const mark = "a-mark-that-stands-nowhere-else";
const shown = ({ file, args, env, stdin, folders, files }: AgentCommand) => ({
  file,
  args,
  env,
  stdin,
  folders,
  files,
});
const isPassable = (text: string) => text !== "" && !text.includes("\0") && text.isWellFormed();

/** The golden command with its mark replaced, also inside of settings that are JSON. */
function withText(command: AgentCommand, text: string): unknown {
  const inJson = JSON.stringify(text).slice(1, -1);
  const put = (value: string, isJson: boolean) => value.replaceAll(mark, () => (isJson ? inJson : text));
  const env = Object.entries(command.env).map(([key, value]) => [key, put(value, /CONFIG_CONTENT|_BODY/.test(key))]);
  return { ...shown(command), args: command.args.map((each) => put(each, false)), env: Object.fromEntries(env) };
}

/** The fast comparison first: there are more than a hundred thousand. */
function expectEqual(given: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(given, expected)) expect(given).toEqual(expected);
}

type Place = "model" | "session" | "token";
const places: readonly Place[] = ["model", "session", "token"];

test.each(backends.flatMap(({ name }) => places.map((place) => [name, place] as const)))(
  "%s takes any %s as one string in its place",
  async (name, place) => {
    const { command } = requireBackend(name);
    const wrap = (text: string) => (place === "model" && name === "opencode" ? `lab/${text}` : text);
    const request = (text: string) => ({ ...full, program: programOf(name), [place]: wrap(text) });
    const expected = command(request(mark));
    const check = (text: string) => {
      if (isPassable(text)) expectEqual(shown(command(request(text))), withText(expected, text));
      // Where the string is used at all, what no program can be given is refused.
      else if (JSON.stringify(expected).includes(mark) && name !== "opencode")
        expect(() => command(request(text))).toThrow();
    };
    for (const text of hostileStrings(5_000)) check(text);
    await fc.assert(fc.property(fc.string({ unit: "binary", minLength: 1 }), check), { numRuns: 200, seed: 13 });
  },
);

test.each(backends)("$name has the same arguments whatever the folders are called", ({ command, name }) => {
  const request = (folder: string) => ({
    ...full,
    program: programOf(name),
    promptFile: `/${folder}/prompt.md`,
    workFolder: `/${folder}`,
  });
  const { file, args } = command(request("a"));
  for (const folder of hostileStrings(5_000)) {
    const given = command(request(folder));
    expectEqual([given.file, given.args], [file, args]);
  }
});

test.each(["", "x", "file:///etc/passwd", "http://", "https://user:word@host/", "https://host/?a=b", "http://h/#x"])(
  "%j is no base URL",
  (baseUrl) => {
    for (const { command, name } of backends.filter(({ name }) => name !== "command"))
      expect(() => command({ ...full, program: programOf(name), baseUrl })).toThrow("is not a base URL");
  },
);

test("a base URL cannot leave its quotes in codex's settings", () => {
  const { args } = requireBackend("codex").command({ ...full, baseUrl: 'http://h/",env_key="HOME"\n/' });
  expect(args.join(" ")).toContain('base_url="http://h/%22,env_key=%22HOME%22",env_key="CODEX_API_KEY"');
});

const acp = (over: Partial<AgentRequest>) =>
  requireBackend("acp").command({ ...plain, program: ["agent", "--acp"], ...over });

test("an agent of the protocol is started by a program of ours, as it is configured", () => {
  const { file, args, env } = acp({ program: ["/bin/agent", "acp", "", "$HOME"], session: "s", mode: "plan" });
  expect([file, args[0]?.endsWith("talk-acp.js"), args.slice(1)]).toEqual([
    process.execPath,
    true,
    ["/bin/agent", "acp", "", "$HOME"],
  ]);
  expect(env).toEqual({ ACP_TALK_SESSION: "s", ACP_TALK_MODE: "plan", ACP_TALK_PERMISSIONS: "allow" });
  expect(() => acp({ program: [] })).toThrow("needs a program");
});

test("an agent of the protocol that is not known is told its key by the variable that its owner names", () => {
  expect(() => acp({ token: "the-key" })).toThrow("Set key_variable");
  expect(() => acp({ baseUrl: "http://h/" })).toThrow("does not know how agent is told a base URL");
  expect(acp({ token: "the-key", keyVariable: "ITS_KEY" })).toMatchObject({ env: { ITS_KEY: "the-key" }, lets: [] });
  expect(acp({ keyVariable: "ITS_KEY" })).toMatchObject({ lets: ["ITS_KEY"] });
});

test("an agent that is known by another name has its settings, its key and its folder", () => {
  const { env, files } = acp({ ...full, program: ["/opt/bin/gemini", "--acp"] });
  expect(env).toMatchObject({
    GEMINI_API_KEY: "the-key",
    GEMINI_CLI_HOME: "/runs/1/own/gemini",
    ACP_TALK_MODEL: "lab/model",
  });
  expect(files).toHaveLength(1);
  expect(acp({ ...full, program: ["claude-agent-acp"] }).env).toMatchObject({ ANTHROPIC_API_KEY: "the-key" });
});

test("opencode asks where people or a setting decide", () => {
  const told = (permissions: "allow" | "ask" | "reject") =>
    JSON.parse(acp({ ...full, program: ["opencode", "acp"], permissions }).env.OPENCODE_CONFIG_CONTENT ?? "")
      .permission;
  expect([told("allow"), told("ask"), told("reject")]).toEqual([{ "*": "allow" }, { "*": "ask" }, { "*": "ask" }]);
  expect(acp({ ...full, program: ["opencode", "acp"] }).env).not.toHaveProperty("ACP_TALK_MODEL");
});

test("a backend that does not exist is refused with those that do", () => {
  expect(() => requireBackend("cloude")).toThrow("claude, codex, gemini, opencode");
});
