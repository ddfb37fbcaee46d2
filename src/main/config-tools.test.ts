import { describe, expect, test } from "vitest";
import { AppError } from "../lib/app-error.ts";
import { loadConfig, showSettings } from "./config.ts";
import { asksBeforeComposedAddresses } from "./config-schema.ts";

function load(environment: Record<string, string>, file: unknown = null) {
  return loadConfig({
    flags: { configFile: null, values: {} },
    environment,
    readFile: () => (file === null ? null : JSON.stringify(file)),
    homeDir: "/home/ada",
    workingDir: "/here",
  });
}

function problemOf(environment: Record<string, string>): string {
  try {
    load(environment);
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.message;
    throw thrown;
  }
  return "";
}

test("without any setting, pages can be read and nothing can be searched", () => {
  expect(load({}).config).toMatchObject({
    web_fetch: true,
    web_fetch_ports: [80, 443, 8080, 8443],
    brave_api_key: null,
    tavily_api_key: null,
    searxng_url: null,
    web_search_trusted: true,
    mcp_servers: null,
  });
});

test.for([
  [{}, false],
  [{ HOMEWORK_ACCOUNTS: "true" }, true],
  [{ HOMEWORK_ACCOUNTS: "true", HOMEWORK_ASK_BEFORE_COMPOSED_ADDRESSES: "false" }, false],
  [{ HOMEWORK_ASK_BEFORE_COMPOSED_ADDRESSES: "true" }, true],
] as const)("%j: composed addresses are asked about: %j", ([environment, expected]) => {
  expect(asksBeforeComposedAddresses(load(environment).config)).toBe(expected);
});

test("ports come as numbers from a variable, too", () => {
  expect(load({ HOMEWORK_WEB_FETCH_PORTS: "443, 9443" }).config.web_fetch_ports).toEqual([443, 9443]);
  expect(problemOf({ HOMEWORK_WEB_FETCH_PORTS: "443,70000" })).toContain("must be ports from 1 to 65535");
});

describe("MCP servers", () => {
  const servers = { github: { command: "github-mcp", env: { TOKEN: "s3cret" }, writes: ["create_issue"] } };

  test("are an object in the file and the same as JSON in a variable", () => {
    const expected = { github: { ...servers.github, trust: "none" } };
    expect(load({}, { mcp_servers: servers }).config.mcp_servers).toEqual(expected);
    expect(load({ HOMEWORK_MCP_SERVERS: JSON.stringify(servers) }).config.mcp_servers).toEqual(expected);
  });

  test("are never shown, with what they hold", () => {
    const shown = showSettings(load({}, { mcp_servers: servers }));
    expect(JSON.stringify(shown)).not.toContain("s3cret");
    expect(shown.find(({ name }) => name === "mcp_servers")?.value).toBe("(set)");
  });

  test.each([
    ["not JSON", "{", "must be an object"],
    ["a wrong address", '{"x": {"url": "s3cret"}}', "x.url: must be an http or https address"],
    ["a server that is none", '{"x": {}}', "x: needs either command or url"],
    ["a name that is none", '{"X Y": {"command": "a"}}', "names of servers are lower-case"],
  ])("with %s are a problem that says where and nothing else", (_name, text, words) => {
    const problem = problemOf({ HOMEWORK_MCP_SERVERS: text });
    expect(problem).toContain(`mcp_servers: `);
    expect(problem).toContain(words);
    expect(problem).not.toContain("s3cret");
  });
});

test("keys for searching are never shown", () => {
  const shown = JSON.stringify(
    showSettings(load({ HOMEWORK_BRAVE_API_KEY: "s3cret", HOMEWORK_TAVILY_API_KEY: "s3cret" })),
  );
  expect(shown).not.toContain("s3cret");
});
