// Every secret an operator can set has a value of its own here, providers and servers repeat what they are sent, and then everything
// that is kept, shown, logged or sent to a model is searched for them.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { afterAll, expect, test } from "vitest";
import { judge } from "../../src/engine/judge.ts";
import { plannerEngine } from "../../src/engine/planner/planner-engine.ts";
import { storeProver } from "../../src/engine/prove.ts";
import type { LogFields, Logger } from "../../src/lib/logger.ts";
import { aboutSetting, type Config, configSchema, settingNames } from "../../src/main/config-schema.ts";
import { realEnv } from "../../src/main/env.ts";
import { openModels } from "../../src/main/open-models.ts";
import { openWorker } from "../../src/main/open-worker.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { openMcpTools } from "../../src/tools/mcp-tools.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import { makeWebTools } from "../../src/tools/web-tools.ts";
import { doneStatus, praise, readRequest, sessionOf } from "../helpers/role-script.ts";
import { type Person, testApp } from "../helpers/test-app.ts";
import { noReader, startCanary } from "../helpers/web-canary.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labPrices } from "../lab/lab-models.ts";
import type { LabReply, LabRequest } from "../lab/lab-protocol.ts";

const canary = (name: string) => `canary-${name.replaceAll("_", "-")}-8f21c6d04b`;

const app = await testApp({ listen: true, poolSize: 8 });
const folder = mkdtempSync(path.join(os.tmpdir(), "homework-secrets-"));
const lab: Lab = await startLab({ prices: labPrices, script: (request) => script(request) });

/** Whoever comes is told what they said: an MCP server and a search provider of the talkative kind. */
const echo = await startCanary((request, response) => {
  const said = `not with ${request.headers.authorization ?? request.headers["x-subscription-token"]}`;
  response.writeHead(401, { "Content-Type": "text/plain" }).end(said);
});

/** Of every setting that is marked as a secret. */
const secrets: Readonly<Record<string, unknown>> = {
  database_url: `postgres://someone:${canary("database_url")}@127.0.0.1:5432/none`,
  openrouter_api_key: canary("openrouter_api_key"),
  anthropic_api_key: canary("anthropic_api_key"),
  openai_api_key: canary("openai_api_key"),
  google_api_key: canary("google_api_key"),
  openai_compatible_api_key: canary("openai_compatible_api_key"),
  brave_api_key: canary("brave_api_key"),
  tavily_api_key: canary("tavily_api_key"),
  telegram_bot_token: `12345:${canary("telegram_bot_token")}`,
  secret: canary("secret").padEnd(40, "x"),
  api_key: canary("api_key"),
  mcp_servers: {
    child: {
      command: process.execPath,
      args: [path.resolve("test/helpers/mcp-test-server.ts")],
      env: { SOME_TOKEN: canary("mcp_env") },
      trust: "reads",
      writes: [],
    },
    far: { url: echo.url("/mcp", "127.0.0.1"), headers: { Authorization: `Bearer ${canary("mcp_header")}` } },
  },
};

const chain = [
  "openrouter/anthropic/claude-sonnet-5.5",
  "anthropic/claude-sonnet-5-5",
  "openai/gpt-6.1-sol",
  "google/gemini-3.8-flash",
  "openai-compatible/house-model",
];

const config: Config = configSchema.parse({
  ...secrets,
  data: folder,
  model: chain,
  openrouter_base_url: lab.baseUrl("openrouter"),
  anthropic_base_url: lab.baseUrl("anthropic"),
  openai_base_url: lab.baseUrl("openai"),
  google_base_url: lab.baseUrl("google"),
  openai_compatible_url: lab.baseUrl("openai-compatible"),
});

/** Set by a test: what providers answer. */
let script: (request: LabRequest) => LabReply = () => ({ status: 500 });

const logged: string[] = [];
const log = (fields: LogFields, message: string) => void logged.push(`${message} ${inspect(fields, { depth: 12 })}`);
const logger: Logger = { debug: log, info: log, warn: log, error: log };

const close = await startWorking();
afterAll(async () => {
  await close();
  await lab.close();
  await echo.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As the program puts it together, except that the web is the server above and nobody waits between tries. */
async function startWorking(): Promise<() => Promise<void>> {
  const env = { ...realEnv, sleep: (ms: number, signal?: AbortSignal) => realEnv.sleep(Math.min(ms, 20), signal) };
  const models = await openModels(config, env, logger);
  const mcp = await openMcpTools(config.mcp_servers ?? {}, {
    homesFolder: folder,
    searchPath: "/usr/bin:/bin",
    logger,
  });
  const { webSearch } = makeWebTools({
    settings: {
      webFetch: false,
      webPorts: null,
      braveApiKey: config.brave_api_key,
      tavilyApiKey: config.tavily_api_key,
      searxngUrl: null,
      isSearchTrusted: true,
    },
    dial: { resolve: async () => [], mayReach: () => false },
    fetch: (_, init) => fetch(echo.url("/search", "127.0.0.1"), init),
    reader: noReader,
  });
  const tools = [...builtInTools, ...mcp.tools, ...(webSearch ? [webSearch] : [])];
  const deps = { db: app.db, models, registry: makeRegistry(tools), env };
  const planner = {
    engine: plannerEngine(deps),
    prover: storeProver(app.db, {
      judge: (...asked) => judge(deps, ...asked),
    }),
    workFolder: null,
  };
  const engines = { engineFor: () => planner };
  const worker = await openWorker({
    db: app.db,
    queue: app.queue,
    config,
    logger,
    origin: "http://127.0.0.1",
    engines,
  });
  return async () => {
    await worker.close();
    await mcp.close();
  };
}

const keyOf: Readonly<Record<string, unknown>> = {
  openrouter: config.openrouter_api_key,
  anthropic: config.anthropic_api_key,
  openai: config.openai_api_key,
  google: config.google_api_key,
  "openai-compatible": config.openai_compatible_api_key,
};

/** Says what it was sent, as some do. */
const refusal = (status: number, { provider }: LabRequest): LabReply => ({
  status,
  body: {
    error: { message: `Incorrect API key provided: ${keyOf[provider]}. (Authorization: Bearer ${keyOf[provider]})` },
  },
});

const faultOf: Readonly<Record<string, number>> = { openrouter: 401, anthropic: 403, openai: 400, google: 500 };

const advice =
  "Basil wants water every morning, and more of it when the window is open. Cacti drink once a month in winter and " +
  "once a week in summer. Ferns like mist better than a wet pot. Orchids take a bath on Sundays, ten minutes long, " +
  "and then drip dry beside the sink. Ivy forgives nearly everything except standing in a puddle.";

/** The first four refuse, each in its way; the last one plans, calls what fails, writes and is done. */
function working(request: LabRequest): LabReply {
  const fault = faultOf[request.provider];
  if (fault !== undefined) return refusal(fault, request);
  const { role, iteration, turn, prompt } = readRequest(request);
  if (role === "judge") return { text: praise(prompt) };
  if (role === "executor")
    return turn === 0
      ? {
          toolCalls: [
            { name: "mcp__child__environment", args: {} },
            { name: "web_search", args: { query: "plants" } },
            {
              name: "write_note",
              args: { title: "Report", content: `# Result\n\n${advice}` },
            },
          ],
        }
      : { text: "I wrote the report; the search did not work." };
  if (role !== "planner") return { text: "It wrote a report about watering plants, and that is all. ".repeat(3) };
  const step = { id: "s1", title: "Write it", status: iteration === 1 ? "in_progress" : "done" } as const;
  const begun = { deliverables: [{ id: "d1", title: "A report" }], checks: [check], executor_tasks: [task] };
  return sessionOf({ plan: { steps: [step] }, ...(iteration === 1 ? begun : { status: doneStatus }) });
}

const check = {
  id: "c1",
  deliverable_id: "d1",
  kind: "document_has",
  title_like: "Report",
  words_at_least: 50,
} as const;
const tools = ["mcp__child__environment", "web_search", "write_note"];
const task = { title: "Write the report", instructions: "Write it.", step_id: "s1", tools };

const runs = "/api/homework/runs";
const streamed: string[] = [];

/** Everything the API says of a run, and its stream from the first event to its end. */
async function play(person: Person, ended: string): Promise<string> {
  const { body } = await app.call("POST", runs, person.session, {
    body: { objective: "Water the plants", judge: false },
  });
  const id: string = body.run_id;
  const response = await app.fetch("GET", `${runs}/${id}/stream`, person.session);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; reader && !text.includes(ended); ) {
    const { value, done } = await reader.read();
    text += value ?? "";
    streamed.push(value ?? "");
    if (done) break;
  }
  await reader?.cancel();
  for (const part of ["", "/iterations", "/events", "/report", "/changes"])
    streamed.push((await app.call("GET", `${runs}/${id}${part}`, person.session)).text);
  return id;
}

/** All but the one table in which the administrator keeps the database's own password; our processes cannot read it. */
async function everyRow(): Promise<string> {
  const { rows: tables } = await app.admin.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema', 'homework_admin')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await app.admin.query(`select coalesce(string_agg(t::text, E'\\n'), '') as text from ${name} t`);
    texts.push(rows[0].text);
  }
  return texts.join("\n");
}

test("every secret that can be set has a value to look for", () => {
  const marked = settingNames.filter((name) => aboutSetting(name).secret);
  expect(Object.keys(secrets).sort()).toEqual([...marked].sort());
});

test("no secret is in the database, in a prompt, in a stream, in an answer or in the log", async () => {
  const person = await app.signUp("ann");
  script = working;
  const done = await play(person, "run_completed");
  script = (request) => refusal(401, request);
  const refused = await play(person, "run_stopped");
  const rows = await everyRow();
  const prompts = lab.requests
    .map(({ system, messages, raw, url }) => JSON.stringify([system, messages, raw, url]))
    .join("\n");
  const places = {
    database: rows,
    prompts,
    streams: streamed.join("\n"),
    log: [...logged, ...app.failures.map((fields) => inspect(fields, { depth: 12 }))].join("\n"),
  };
  // What was played is really in there, the repeated keys included.
  for (const id of [done, refused])
    expect([places.database.includes(id), places.streams.includes(id)]).toEqual([true, true]);
  expect(places.database).toContain("[key]");
  expect(places.database).toContain("[hidden]");
  expect(places.prompts).toContain("[hidden]");
  expect(places.log).toContain("MCP server cannot be used");
  expect(new Set(lab.requests.map(({ provider }) => provider)).size).toBe(chain.length);
  const needles = ["canary-", new URL(app.testDb.appUrl).password, "a secret of the tests"];
  const found = Object.entries(places).flatMap(([place, text]) =>
    needles.flatMap((needle) =>
      [...text.matchAll(new RegExp(`.{0,40}${needle}.{0,40}`, "g"))].map(([hit]) => `${place}: ${hit}`),
    ),
  );
  expect(found).toEqual([]);
});
