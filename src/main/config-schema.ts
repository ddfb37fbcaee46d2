// Every setting of the program, described once: checks, defaults, the JSON schema and docs/config.md come from here.
// What one setting must be is said here; what two of them must be together is in config-check.ts.

import { z } from "zod";
import { defaultBreakers } from "../domain/run/breakers.ts";
import { isTimeZone } from "../domain/run/time-zone.ts";
import { parseModelId } from "../llm/model-id.ts";
import { modelPrices } from "../llm/price-settings.ts";
import { mcpServers } from "../tools/mcp/mcp-config.ts";
import { usualPorts } from "../tools/web/limits.ts";

const whole = (min: number, max: number) =>
  z
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, wholeMessage(min, max))
    .max(max, wholeMessage(min, max));
const wholeMessage = (min: number, max: number) => `must be a whole number from ${min} to ${max}`;

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(", ")}`);

const yesOrNo = z.boolean("must be true or false");
const words = z.string("must be text").min(1, "must not be empty");

const databaseUrl = words.refine(
  (value) => ["postgres:", "postgresql:"].includes(urlOf(value)?.protocol ?? ""),
  "must look like postgres://user:password@host:5432/name",
);

const origin = words
  .refine((value) => {
    const url = urlOf(value);
    return url !== null && ["http:", "https:"].includes(url.protocol) && `${url.origin}/` === url.href;
  }, "must be an origin such as https://homework.example.com, without a path")
  .transform((value) => new URL(value).origin);

/** Without a user and a password: keys have settings of their own. */
const apiAddress = words
  .refine((value) => {
    const url = urlOf(value);
    if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
    return [url.username, url.password, url.search, url.hash].every((part) => part === "");
  }, "must be an address such as https://models.example.com/v1")
  .transform((value) => value.replace(/\/+$/, ""));

const hostName = words.regex(/^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i, "must be host names such as homework.lan");

/** An address to listen on, or a name for one. */
const host = words.regex(/^[0-9a-z.:_-]+$/i, "must be an address or a host name, without http:// and port");

export const settingGroups = [
  "Where things are",
  "Serving",
  "Runs",
  "Models",
  "Tools",
  "People",
  "Limits",
  "Logging",
  "Command line",
] as const;
type SettingGroup = (typeof settingGroups)[number];

type About = {
  readonly description: string;
  readonly group: SettingGroup;
  /** Never shown, only whether it is set. */
  readonly secret?: true;
  /** What the default is where it depends on the machine. */
  readonly defaultText?: string;
};

/** Says what a setting is for; `aboutSetting` reads it back. */
const setting = <Schema extends z.ZodType>(about: About, schema: Schema): Schema =>
  schema.meta({ ...about }) as unknown as Schema;

const whereThingsAre = {
  data: setting(
    {
      group: "Where things are",
      description: "Folder for everything Homework keeps: the embedded database, keys, files.",
      defaultText: "`$XDG_DATA_HOME/homework`, else `~/.local/share/homework`",
    },
    words,
  ),
  database_url: setting(
    {
      group: "Where things are",
      description: "A PostgreSQL (15 or newer) of your own. Without it, an embedded one in the data folder is used.",
      secret: true,
    },
    databaseUrl.nullable().default(null),
  ),
  database_pool_size: setting(
    { group: "Where things are", description: "Connections one process keeps to the database." },
    whole(2, 500).default(10),
  ),
};

const serving = {
  host: setting(
    {
      group: "Serving",
      description: "Address to listen on. Anything but loopback is refused unless `accounts` is on.",
    },
    host.default("127.0.0.1"),
  ),
  port: setting(
    { group: "Serving", description: "Port of the web pages and the HTTP API; 0 takes any free one." },
    whole(0, 65_535).default(4180),
  ),
  public_url: setting(
    { group: "Serving", description: "The origin people open, for links and cookies, if it is not host and port." },
    origin.nullable().default(null),
  ),
  allowed_hosts: setting(
    {
      group: "Serving",
      description: "More names the server may be called by; others are refused (protects from DNS rebinding).",
    },
    z.array(hostName, "must be a list of host names").max(100).default([]),
  ),
};

const runs = {
  worker_concurrency: setting(
    {
      group: "Runs",
      description: "Iterations one process works on at the same time; 0: `serve` leaves them to workers.",
    },
    whole(0, 64).default(4),
  ),
  max_concurrent_runs_per_user: setting(
    { group: "Runs", description: "Runs one user may have at work at once; more wait in line." },
    whole(1, 10_000).default(3),
  ),
  time_zone: setting(
    { group: "Runs", description: "Time zone of runs whose user names none, such as `Europe/Vienna`." },
    z
      .string("must be text")
      .refine(isTimeZone, "must be an IANA time zone such as Europe/Vienna or UTC")
      .default("UTC"),
  ),
  breaker_no_progress: setting(
    { group: "Runs", description: "Iterations without any change of state before a run is stopped." },
    whole(1, 1_000).default(defaultBreakers.noProgress),
  ),
  breaker_same_action: setting(
    { group: "Runs", description: "How often the very same actions may be repeated before a run is stopped." },
    whole(1, 1_000).default(defaultBreakers.sameAction),
  ),
  breaker_back_and_forth: setting(
    { group: "Runs", description: "How often a run may go back and forth between two sets of actions." },
    whole(1, 1_000).default(defaultBreakers.backAndForth),
  ),
  breaker_same_error: setting(
    { group: "Runs", description: "Iterations in a row that may end in the same error." },
    whole(1, 1_000).default(defaultBreakers.sameError),
  ),
  breaker_tool_missing: setting(
    { group: "Runs", description: "Iterations in a row that may want a missing tool or get its arguments wrong." },
    whole(1, 1_000).default(defaultBreakers.toolMisses),
  ),
  breaker_rejected_claims: setting(
    { group: "Runs", description: "Claims to be done in a row that the same check may turn down." },
    whole(1, 1_000).default(defaultBreakers.rejectedClaims),
  ),
};

/** A key of a provider; it is sent in a header, so it is one line of plain letters. */
const keyOf = (group: "Models" | "Tools", description: string) =>
  setting(
    { group, description, secret: true },
    z
      .string("must be text")
      .regex(/^[\x21-\x7e]+$/, "must be one word, as the provider shows it")
      .nullable()
      .default(null),
  );
const modelKey = (provider: string) => keyOf("Models", `Key for models of ${provider}.`);
const searchKey = (provider: string) => keyOf("Tools", `Key for web search with ${provider}.`);

const modelAddress = (provider: string) =>
  setting(
    { group: "Models", description: `Where ${provider} is reached, if not at its usual address: a proxy, a test.` },
    apiAddress.nullable().default(null),
  );

const modelList = (max: number) =>
  z
    .array(
      words.refine((id) => parseModelId(id) !== null, "must be provider/model, such as anthropic/claude-sonnet-5-5"),
      "must be a list of models, each as provider/model",
    )
    .max(max, `must be at most ${max} models`)
    .default([]);

const modelsFor = (whom: string) => {
  const description = `Models ${whom}, as \`provider/model\`: the first is asked, the others if it fails.`;
  return setting({ group: "Models", description }, modelList(10));
};

const models = {
  openrouter_api_key: modelKey("OpenRouter"),
  anthropic_api_key: modelKey("Anthropic"),
  openai_api_key: modelKey("OpenAI"),
  google_api_key: modelKey("Google"),
  openai_compatible_url: setting(
    {
      group: "Models",
      description: "Any server that speaks the OpenAI protocol, such as `http://192.168.1.5:8000/v1`.",
    },
    apiAddress.nullable().default(null),
  ),
  openai_compatible_api_key: modelKey("the server at `openai_compatible_url`, if it wants one"),
  openrouter_base_url: modelAddress("OpenRouter"),
  openrouter_data_collection: setting(
    { group: "Models", description: "Whether OpenRouter may choose providers that keep prompts or train on them." },
    yesOrNo.default(false),
  ),
  anthropic_base_url: modelAddress("Anthropic"),
  openai_base_url: modelAddress("OpenAI"),
  google_base_url: modelAddress("Google"),
  model: modelsFor("of every role that has none of its own"),
  model_planner: modelsFor("that plan"),
  model_executor: modelsFor("that carry out steps of a plan"),
  model_repair: modelsFor("that mend wrong arguments of tools"),
  model_summary: modelsFor("that write summaries and reports"),
  model_judge: modelsFor("that judge whether work meets its criteria"),
  model_observer: modelsFor("that observe finished tasks"),
  model_chat: modelsFor("that answer in chats"),
  model_prices: setting(
    {
      group: "Models",
      description:
        "Prices in dollars per million tokens, a JSON object: for each `provider/model` `input`, `output` and, where they " +
        "differ from input, `cached` and `written`. They come before our own list, but after what a provider says a call cost.",
    },
    modelPrices.nullable().default(null),
  ),
  models_without_tools: setting(
    { group: "Models", description: "Models that cannot call tools: tools and calls go to and fro as text." },
    modelList(100),
  ),
  find_local_models: setting(
    {
      group: "Models",
      description: "Look for Ollama, LM Studio and vLLM on this machine where no key and no model is set.",
    },
    yesOrNo.default(true),
  ),
};

const tools = {
  web_fetch: setting({ group: "Tools", description: "Whether runs may read public web pages." }, yesOrNo.default(true)),
  web_fetch_ports: setting(
    { group: "Tools", description: "Ports that web pages may be read from." },
    z
      .array(
        z.coerce.number("must be ports from 1 to 65535").int().min(1).max(65_535, "must be ports from 1 to 65535"),
        "must be a list of ports",
      )
      .max(100)
      .default([...usualPorts]),
  ),
  brave_api_key: searchKey("Brave"),
  tavily_api_key: searchKey("Tavily"),
  searxng_url: setting(
    {
      group: "Tools",
      description: "A SearXNG server for web search, such as `http://127.0.0.1:8888`; it has to allow the format json.",
    },
    apiAddress.nullable().default(null),
  ),
  web_search_trusted: setting(
    {
      group: "Tools",
      description:
        "Whether a run that has read web pages may go on searching without asking: its queries could hold private words, " +
        "and the search provider would see them.",
    },
    yesOrNo.default(true),
  ),
  mcp_servers: setting(
    {
      group: "Tools",
      description:
        "MCP servers whose tools runs may use, a JSON object: for each name `command`, `args`, `env`, or `url`, `headers`; " +
        "`tools`: only these; `writes`: those that change something; `trust`: `reads`, if nothing that the others are sent " +
        "reaches strangers.",
      secret: true,
    },
    mcpServers.nullable().default(null),
  ),
};

const people = {
  accounts: setting(
    {
      group: "People",
      description: "Off: one local owner, signed in by a one-time link. On: people with e-mail and password.",
    },
    yesOrNo.default(false),
  ),
  sign_up: setting(
    { group: "People", description: "Whether strangers may make an account. The very first one always may be made." },
    oneOf(["closed", "open"]).default("closed"),
  ),
  secret: setting(
    {
      group: "People",
      description: "Signs sessions; at least 32 characters. Set the same one on every machine that shares a database.",
      secret: true,
      defaultText: "made once and kept in the data folder",
    },
    z.string("must be text").min(32, "must have at least 32 characters").nullable().default(null),
  ),
};

const limitSettings = {
  rate_limit_per_minute: setting(
    { group: "Limits", description: "Requests one user, or one address that is not signed in, may make in a minute." },
    whole(1, 1_000_000).default(600),
  ),
  sign_in_limit_per_minute: setting(
    { group: "Limits", description: "Attempts to sign in that one address may make in a minute." },
    whole(1, 10_000).default(10),
  ),
  max_streams_per_user: setting(
    { group: "Limits", description: "Live streams one user may have open." },
    whole(1, 10_000).default(20),
  ),
  bin_retention_days: setting(
    { group: "Limits", description: "Days that deleted things stay in the bin." },
    whole(1, 3_650).default(30),
  ),
};

const logging = {
  log_level: setting(
    { group: "Logging", description: "The least important log lines to write." },
    oneOf(["debug", "info", "warn", "error"]).default("info"),
  ),
  log_format: setting(
    { group: "Logging", description: "Log lines for people (`pretty`) or for programs (`json`)." },
    oneOf(["pretty", "json"]).default("pretty"),
  ),
};

const commandLine = {
  url: setting(
    {
      group: "Command line",
      description:
        "A Homework server that commands such as `task list` talk to, instead of the one on the data folder.",
    },
    origin.nullable().default(null),
  ),
  api_key: setting(
    {
      group: "Command line",
      description: "API key for the server at `url`; made with `homework key create` or on its settings page.",
      secret: true,
    },
    words.nullable().default(null),
  ),
};

export const configSchema = z.strictObject({
  ...whereThingsAre,
  ...serving,
  ...runs,
  ...models,
  ...tools,
  ...people,
  ...limitSettings,
  ...logging,
  ...commandLine,
});

export type Config = Readonly<z.output<typeof configSchema>>;
export type SettingName = keyof Config;

export const settingNames = Object.keys(configSchema.shape) as readonly SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(configSchema.shape, name);
}

export function aboutSetting(name: SettingName): About {
  return configSchema.shape[name].meta() as unknown as About;
}

function urlOf(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}
