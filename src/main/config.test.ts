import { describe, expect, test } from "vitest";
import { AppError } from "../lib/app-error.ts";
import { loadConfig, maskPassword, showSettings } from "./config.ts";
import { configJsonSchema, renderConfigReference } from "./config-reference.ts";
import { settingNames } from "./config-schema.ts";
import type { ConfigInput } from "./config-sources.ts";

type Given = {
  readonly flags?: Record<string, string>;
  readonly configFile?: string;
  readonly environment?: Record<string, string>;
  readonly files?: Record<string, unknown>;
};

const defaultFile = "/home/ada/.config/homework/config.json";

function load({ flags = {}, configFile, environment = {}, files = {} }: Given = {}) {
  const input: ConfigInput = {
    flags: { configFile: configFile ?? null, values: flags },
    environment,
    readFile: (file) => {
      const content = files[file];
      if (content === undefined) return null;
      return typeof content === "string" ? content : JSON.stringify(content);
    },
    homeDir: "/home/ada",
    workingDir: "/here",
  };
  return loadConfig(input);
}

/** The lines of the one message that all problems are in. */
function problemsOf(given: Given): readonly string[] {
  try {
    load(given);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    expect(thrown.code).toBe("config_invalid");
    return thrown.message
      .split("\n")
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}

test("without anything the defaults hold and say that they are defaults", () => {
  const { config, origins } = load();
  expect(config).toMatchObject({ host: "127.0.0.1", port: 4180, accounts: false, database_url: null });
  expect(config.data).toBe("/home/ada/.local/share/homework");
  expect(new Set(Object.values(origins).map(({ source }) => source))).toEqual(new Set(["default"]));
});

test("the data folder follows XDG_DATA_HOME", () => {
  expect(load({ environment: { XDG_DATA_HOME: "/xdg" } }).config.data).toBe("/xdg/homework");
});

describe("a setting comes from the strongest source that has it", () => {
  const files = { [defaultFile]: { port: 1001 } };
  const environment = { HOMEWORK_PORT: "1002" };

  test("the file before the default", () => {
    const { config, origins } = load({ files });
    expect([config.port, origins.port]).toEqual([1001, { source: "file", from: defaultFile }]);
  });

  test("the environment before the file", () => {
    const { config, origins } = load({ files, environment });
    expect([config.port, origins.port]).toEqual([1002, { source: "environment", from: "HOMEWORK_PORT" }]);
  });

  test("the flag before the environment", () => {
    const { config, origins } = load({ files, environment, flags: { port: "1003" } });
    expect([config.port, origins.port]).toEqual([1003, { source: "flag", from: "command line" }]);
  });

  test("an empty variable is not set", () => {
    expect(load({ files, environment: { HOMEWORK_PORT: "" } }).config.port).toBe(1001);
  });

  test("HOMEWORK_DATABASE_URL before DATABASE_URL", () => {
    const urls = { DATABASE_URL: "postgres://a/x", HOMEWORK_DATABASE_URL: "postgres://b/x" };
    expect(load({ environment: urls }).config.database_url).toBe("postgres://b/x");
    expect(load({ environment: { ...urls, HOMEWORK_DATABASE_URL: "" } }).config.database_url).toBe("postgres://a/x");
    expect(load({ environment: { DATABASE_URL: urls.DATABASE_URL } }).origins.database_url.from).toBe("DATABASE_URL");
  });
});

describe("the config file is found", () => {
  test("by --config, relative to the current folder", () => {
    expect(load({ configFile: "a.json", files: { "/here/a.json": { port: 5 } } }).config.port).toBe(5);
  });

  test("by HOMEWORK_CONFIG, in the home folder with ~", () => {
    const environment = { HOMEWORK_CONFIG: "~/b.json" };
    expect(load({ environment, files: { "/home/ada/b.json": { port: 6 } } }).config.port).toBe(6);
  });

  test("and its relative data folder starts from the file", () => {
    expect(load({ configFile: "/etc/hw/c.json", files: { "/etc/hw/c.json": { data: "d" } } }).config.data).toBe(
      "/etc/hw/d",
    );
  });

  test("or its absence is a problem, if it was asked for", () => {
    expect(problemsOf({ configFile: "/none.json" })).toEqual(["--config: there is no file /none.json"]);
    expect(problemsOf({})).toEqual([]);
  });
});

test("text from flags and variables becomes what the file would hold", () => {
  const environment = { HOMEWORK_ACCOUNTS: "yes", HOMEWORK_ALLOWED_HOSTS: "a.lan, b.lan:8080" };
  expect(load({ environment }).config).toMatchObject({ accounts: true, allowed_hosts: ["a.lan", "b.lan:8080"] });
});

test("all problems of all sources are in one message", () => {
  const given = {
    flags: { prot: "1", rate_limit_per_minute: "many" },
    environment: { HOMEWORK_HOTS: "x", HOMEWORK_SIGN_UP: "maybe", HOMEWORK_PUBLIC_URL: "https://h.example/path" },
    files: { [defaultFile]: { log_levle: "info", port: "4180", accounts: "yes" } },
  };
  expect(problemsOf(given)).toEqual([
    `${defaultFile}: log_levle is not a setting. Did you mean log_level?`,
    "HOMEWORK_HOTS is not a setting. Did you mean HOMEWORK_HOST?",
    "--set prot is not a setting. Did you mean port?",
    `port: must be a whole number from 0 to 65535 (${defaultFile} is "4180")`,
    `public_url: must be an origin such as https://homework.example.com, without a path (HOMEWORK_PUBLIC_URL is "https://h.example/path")`,
    `accounts: must be true or false (${defaultFile} is "yes")`,
    'sign_up: must be one of closed, open (HOMEWORK_SIGN_UP is "maybe")',
    'rate_limit_per_minute: must be a whole number from 1 to 1000000 (command line is "many")',
  ]);
});

test("a file that is not a JSON object is a problem, not a crash", () => {
  for (const content of ["{", "[1]", "null", '"x"'])
    expect(problemsOf({ files: { [defaultFile]: content } })).toEqual([
      `${defaultFile}: must hold one JSON object, such as {"port": 4180}`,
    ]);
});

describe("settings have to fit together", () => {
  const check = (flags: Record<string, string>, problems: readonly RegExp[]) => {
    const found = problemsOf({ flags });
    expect(found).toHaveLength(problems.length);
    for (const [at, problem] of problems.entries()) expect(found[at]).toMatch(problem);
  };

  test.each(["127.0.0.1", "localhost", "::1", "127.8.8.8"])("%s is loopback and needs no accounts", (host) =>
    check({ host }, []),
  );
  test.each(["192.168.1.2", "homework.lan", "127.0.0.1.example.com", "::2"])("%s is not and is refused", (host) =>
    check({ host }, [/^host: Binding to anything but loopback without accounts is refused/]),
  );
  test("with accounts another address is fine", () => check({ host: "192.168.1.2", accounts: "true" }, []));
  test("every address needs a name to be called by", () => {
    check({ host: "0.0.0.0", accounts: "true" }, [/^host: listening on every address needs/]);
    check({ host: "0.0.0.0", accounts: "true", allowed_hosts: "homework.lan" }, []);
  });
  test("a public address needs accounts", () =>
    check({ public_url: "https://homework.example" }, [/^public_url: .*set accounts/]));
  test("open sign-up needs accounts", () => check({ sign_up: "open" }, [/^sign_up: .*set accounts/]));
  test("a server to talk to needs a key", () => check({ url: "https://h.example" }, [/^url: needs api_key/]));
  test("what is wrong by itself is not told twice", () => check({ accounts: "x", sign_up: "open" }, [/^accounts: /]));
});

describe("secrets are never shown", () => {
  const secret = "s3cret-".repeat(6);
  const environment = {
    HOMEWORK_SECRET: secret,
    HOMEWORK_API_KEY: secret,
    DATABASE_URL: `postgres://ada:${secret}@db.example/x?sslpassword=${secret}`,
  };

  test("where settings are printed", () => {
    const shown = showSettings(load({ environment }));
    expect(JSON.stringify(shown)).not.toContain("s3cret");
    expect(shown.find(({ name }) => name === "secret")).toMatchObject({ value: "(set)", from: "HOMEWORK_SECRET" });
    expect(shown.find(({ name }) => name === "database_url")?.value).toBe(
      "postgres://ada:***@db.example/x?sslpassword=***",
    );
  });

  test("where they are the problem", () => {
    const wrong = {
      HOMEWORK_SECRET: "s3cret",
      DATABASE_URL: "mysql://ada:s3cret@h/x",
      HOMEWORK_PUBLIC_URL: "http://a:s3cret@h",
    };
    const problems = problemsOf({ environment: wrong });
    expect(problems).toHaveLength(3);
    expect(problems.join("\n")).not.toContain("s3cret");
  });

  test("and an address without a password stays as it is", () => {
    expect(maskPassword("postgres://localhost/x")).toBe("postgres://localhost/x");
  });
});

test("every setting is on the page and in the JSON schema", () => {
  const page = renderConfigReference();
  expect(settingNames.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  const { properties, required } = configJsonSchema() as { properties: object; required?: unknown };
  expect(Object.keys(properties)).toEqual(["$schema", ...settingNames]);
  expect(required).toBeUndefined();
});

describe("models", () => {
  test.each([
    ["openrouter_api_key", "OPENROUTER_API_KEY"],
    ["anthropic_api_key", "ANTHROPIC_API_KEY"],
    ["openai_api_key", "OPENAI_API_KEY"],
    ["google_api_key", "GOOGLE_GENERATIVE_AI_API_KEY"],
    ["google_api_key", "GEMINI_API_KEY"],
  ] as const)("%s is taken from %s, our own variable before it, and never shown", (name, variable) => {
    const usual = load({ environment: { [variable]: "sk-canary-1" } });
    expect([usual.config[name], usual.origins[name].from]).toEqual(["sk-canary-1", variable]);
    expect(JSON.stringify(showSettings(usual))).not.toContain("sk-canary");
    const own = `HOMEWORK_${name.toUpperCase()}`;
    expect(load({ environment: { [variable]: "sk-1", [own]: "sk-2" } }).config[name]).toBe("sk-2");
  });

  test("are named as a list, the first of it first", () => {
    const environment = { HOMEWORK_MODEL_PLANNER: "ollama/qwen3:8b, vllm/house" };
    expect(load({ environment }).config.model_planner).toEqual(["ollama/qwen3:8b", "vllm/house"]);
  });

  test("the demo model stands alone: behind another one it would do that one's work", () => {
    const withDemo = (HOMEWORK_MODEL: string) => ({ environment: { HOMEWORK_MODEL } });
    expect(problemsOf(withDemo("ollama/qwen3:8b, demo/rules")).join()).toContain("model: demo/rules must stand alone");
    expect(load(withDemo("demo/rules")).config.model).toEqual(["demo/rules"]);
  });

  test("the model that observes is a role, or one that can be asked", () => {
    const observedBy = (HOMEWORK_HOMR_OBSERVATION_MODEL: string) => ({
      environment: { HOMEWORK_HOMR_OBSERVATION_MODEL },
    });
    expect(problemsOf(observedBy("opus")).join()).toContain("must be haiku, sonnet or provider/model");
    expect(problemsOf(observedBy("openai/gpt-6-luna")).join()).toContain("needs openai_api_key");
    for (const name of ["haiku", "sonnet", "ollama/qwen3:8b"])
      expect(load(observedBy(name)).config.homr_observation_model).toBe(name);
  });

  test("have prices as a JSON object, with a name that is checked", () => {
    const prices = '{"openai-compatible/house-model": {"input": 1, "output": 2.5}}';
    expect(load({ environment: { HOMEWORK_MODEL_PRICES: prices } }).config.model_prices).toEqual(JSON.parse(prices));
    const wrong = { HOMEWORK_MODEL_PRICES: '{"house-model": {"input": 1, "output": 2}}' };
    expect(problemsOf({ environment: wrong }).join()).toContain("names of models are provider/model");
  });

  test.each(["gpt-5", "nobody/gpt-5", "openai/", "openai/gpt 5"])("%s is no model", (model) => {
    expect(problemsOf({ flags: { model } })).toEqual([expect.stringMatching(/^model: must be provider\/model/)]);
  });

  test("need the key of their provider, which is said for each setting", () => {
    const flags = { model: "openai/gpt-5,openai/gpt-5-mini", model_chat: "anthropic/claude-sonnet-5-5" };
    expect(problemsOf({ flags })).toEqual(["model: needs openai_api_key", "model_chat: needs anthropic_api_key"]);
    expect(problemsOf({ flags: { model: "openai-compatible/x" } })).toEqual(["model: needs openai_compatible_url"]);
    expect(problemsOf({ flags: { model: "openai/gpt-5", openai_api_key: "sk" } })).toEqual([]);
  });

  test("are reached at an address without a password in it", () => {
    const problem = expect.stringMatching(/^openai_compatible_url: must be an address such as/);
    expect(problemsOf({ flags: { openai_compatible_url: "http://a:s3cret@h/v1" } })).toEqual([problem]);
    expect(problemsOf({ flags: { openai_compatible_url: "file:///etc" } })).toEqual([problem]);
    expect(load({ flags: { openai_compatible_url: "http://h:1/v1/" } }).config.openai_compatible_url).toBe(
      "http://h:1/v1",
    );
  });

  test("a key that could not be sent is refused without being shown", () => {
    const [problem] = problemsOf({ environment: { OPENAI_API_KEY: "sk-canary\nX-Evil: 1" } });
    expect(problem).toMatch(/^openai_api_key: must be one word/);
    expect(problem).not.toContain("canary");
  });
});

test.each([
  ["HOMR_ENABLED_BY_DEFAULT", "false", { homr_enabled_by_default: false }],
  ["HOMR_OBSERVATION_MODEL", "sonnet", { homr_observation_model: "sonnet" }],
  ["HOMR_MAX_CONTEXT_SIZE", "9000", { homr_max_context_size: 9_000 }],
])("%s counts without our prefix, too, and a slip in it is told", (variable, text, wanted) => {
  expect(load({ environment: { [variable]: text } }).config).toMatchObject(wanted);
  expect(problemsOf({ environment: { [`${variable}S`]: text } }).join()).toContain(
    `${variable}S is not a setting. Did you mean ${variable}?`,
  );
});

test("a model may be waited for as long as an answer may take, and no longer", () => {
  const seconds = (text: string) =>
    load({ environment: { HOMEWORK_MODEL_ANSWER_SECONDS: text } }).config.model_answer_seconds;
  expect(seconds("900")).toBe(900);
  expect(() => seconds("901")).toThrow("900");
});
