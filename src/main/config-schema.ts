// Every setting of the program, described once: checks, defaults, the JSON schema and docs/config.md come from here.
// What one setting must be is said here; what two of them must be together is in config-check.ts.

import { isAbsolute } from "node:path";
import { z } from "zod";
import { defaultHomrConfig } from "../domain/homr/homr-config.ts";
import { observationRoles } from "../domain/homr/observe/observation-model.ts";
import { type BreakerLimits, defaultBreakers } from "../domain/run/gate/breakers.ts";
import { isTimeZone } from "../domain/time-zone.ts";
import { answerSeconds } from "../llm/answer-limits.ts";
import { parseModelId } from "../llm/model-id.ts";
import { modelPrices } from "../llm/price-settings.ts";
import { usualConnectionLimits } from "../server/bound-connections.ts";
import { parseNetwork } from "../server/client-address.ts";
import { mcpServers } from "../tools/mcp/mcp-config.ts";
import { usualPorts } from "../tools/web/limits.ts";
import { apiAddress, databaseUrl, host, hostName, oneOf, origin, whole, words, yesOrNo } from "./setting-kinds.ts";

type About = {
  readonly description: string;
  /** Never shown, only whether it is set. */
  readonly secret?: true;
  /** What the default is where it depends on the machine. */
  readonly defaultText?: string;
};

/** A setting that has no value unless someone gives it one. */
const orNone = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null);

const whereThingsAre = {
  data: words.meta({
    description: "Folder for everything Homework keeps: the embedded database, keys, files.",
    defaultText: "`$XDG_DATA_HOME/homework`, else `~/.local/share/homework`",
  }),
  database_url: orNone(databaseUrl).meta({
    description: "A PostgreSQL (15 or newer) of your own. Without it, an embedded one in the data folder is used.",
    secret: true,
  }),
  database_pool_size: whole(2, 500).default(10).describe("Connections one process keeps to the database."),
  database_connect_seconds: whole(1, 600)
    .default(10)
    .describe(
      "How long a connection to the database, or the wait for a row there, may take; after that it counts as away.",
    ),
};

const serving = {
  host: host
    .default("127.0.0.1")
    .describe("Address to listen on. Anything but loopback is refused unless `accounts` is on."),
  port: whole(0, 65_535).default(4180).describe("Port of the web pages and the HTTP API; 0 takes any free one."),
  public_url: orNone(origin).describe("The origin people open, for links and cookies, if it is not host and port."),
  allowed_hosts: z
    .array(hostName, "must be a list of host names")
    .max(100)
    .default([])
    .describe("More names the server may be called by; others are refused (protects from DNS rebinding)."),
  trusted_proxies: z
    .array(
      words.refine((text) => parseNetwork(text) !== null, "must be addresses or networks such as 10.0.0.0/8"),
      "must be a list of addresses or networks",
    )
    .max(100)
    .default([])
    .describe(
      "Your reverse proxies (`127.0.0.1`, `10.0.0.0/8`): what these say in `X-Forwarded-For` counts as the client's address. Without it, everyone behind a proxy shares one address in limits and sessions.",
    ),
};

const breaker = (name: keyof typeof defaultBreakers, description: string) =>
  whole(1, 1_000).default(defaultBreakers[name]).describe(description);

const runs = {
  worker_concurrency: whole(0, 64)
    .default(4)
    .describe("Iterations one process works on at the same time; 0: `serve` leaves them to workers."),
  max_concurrent_runs_per_user: whole(1, 10_000)
    .default(3)
    .describe("Runs one user may have at work at once; more wait in line."),
  time_zone: z
    .string("must be text")
    .refine(isTimeZone, "must be an IANA time zone such as Europe/Vienna or UTC")
    .default("UTC")
    .describe("Time zone of runs whose user names none, such as `Europe/Vienna`."),
  breaker_no_progress: breaker("noProgress", "Iterations without any change of state before a run is stopped."),
  breaker_same_action: breaker(
    "sameAction",
    "How often the very same actions may be repeated before a run is stopped.",
  ),
  breaker_back_and_forth: breaker("backAndForth", "How often a run may go back and forth between two sets of actions."),
  breaker_same_error: breaker("sameError", "Iterations in a row that may end in the same error."),
  breaker_tool_missing: breaker(
    "toolMisses",
    "Iterations in a row that may want a missing tool or get its arguments wrong.",
  ),
  breaker_rejected_claims: breaker("rejectedClaims", "Claims to be done in a row that the same check may turn down."),
};

const outcomes = {
  homr_enabled_by_default: yesOrNo
    .default(defaultHomrConfig.enabled)
    .describe("Whether HOMЯ watches outcomes that set nothing else."),
  homr_observation_model: words
    .max(200)
    .refine(
      (name) => observationRoles.includes(name) || parseModelId(name) !== null,
      `must be ${observationRoles.join(", ")} or provider/model`,
    )
    .default(defaultHomrConfig.observationModel)
    .describe(
      "The model that observes tasks of outcomes that set none: `haiku` is the observer's model, `sonnet` the planner's, or a model as `provider/model`.",
    ),
  homr_max_context_size: whole(1_000, 200_000)
    .default(defaultHomrConfig.maxContextSize)
    .describe("Characters of HOMЯ's context in a task's prompt, for outcomes that set nothing else."),
};

/** A key of a provider; it is sent in a header, so it is one line of plain letters. */
const keyOf = (description: string) =>
  orNone(z.string("must be text").regex(/^[\x21-\x7e]+$/, "must be one word, as the provider shows it")).meta({
    description,
    secret: true,
  });
const modelKey = (provider: string) => keyOf(`Key for models of ${provider}.`);
const searchKey = (provider: string) => keyOf(`Key for web search with ${provider}.`);

const modelAddress = (provider: string) =>
  orNone(apiAddress).describe(`Where ${provider} is reached, if not at its usual address: a proxy, a test.`);

const modelList = (max: number) =>
  z
    .array(
      words.refine((id) => parseModelId(id) !== null, "must be provider/model, such as anthropic/claude-sonnet-5-5"),
      "must be a list of models, each as provider/model",
    )
    .max(max, `must be at most ${max} models`)
    .default([]);

const modelsFor = (whom: string) =>
  modelList(10).describe(`Models ${whom}, as \`provider/model\`: the first is asked, the others if it fails.`);

const models = {
  openrouter_api_key: modelKey("OpenRouter"),
  anthropic_api_key: modelKey("Anthropic"),
  openai_api_key: modelKey("OpenAI"),
  google_api_key: modelKey("Google"),
  openai_compatible_url: orNone(apiAddress).describe(
    "Any server that speaks the OpenAI protocol, such as `http://192.168.1.5:8000/v1`.",
  ),
  openai_compatible_api_key: modelKey("the server at `openai_compatible_url`, if it wants one"),
  openrouter_base_url: modelAddress("OpenRouter"),
  openrouter_data_collection: yesOrNo
    .default(false)
    .describe("Whether OpenRouter may choose providers that keep prompts or train on them."),
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
  model_prices: orNone(modelPrices).describe(
    "Prices in dollars per million tokens, a JSON object: for each `provider/model` `input`, `output` and, where they " +
      "differ from input, `cached` and `written`. They come before our own list, but after what a provider says a call cost.",
  ),
  model_answer_seconds: whole(10, answerSeconds.most)
    .default(answerSeconds.usual)
    .describe(
      "How long a model may say nothing, before its first word and in the middle, before its answer is given up: then the next model of its role is asked, or the run is held. Models that think may be silent for minutes; a connection on which nothing at all arrives ends after 300 seconds.",
    ),
  models_without_tools: modelList(100).describe(
    "Models that cannot call tools: tools and calls go to and fro as text.",
  ),
  find_local_models: yesOrNo
    .default(true)
    .describe("Look for Ollama, LM Studio and vLLM on this machine where no key and no model is set."),
};

const tools = {
  web_fetch: yesOrNo.default(true).describe("Whether runs may read public web pages."),
  web_fetch_ports: z
    .array(
      z.coerce.number("must be ports from 1 to 65535").int().min(1).max(65_535, "must be ports from 1 to 65535"),
      "must be a list of ports",
    )
    .max(100)
    .default([...usualPorts])
    .describe("Ports that web pages may be read from."),
  brave_api_key: searchKey("Brave"),
  tavily_api_key: searchKey("Tavily"),
  searxng_url: orNone(apiAddress).describe(
    "A SearXNG server for web search, such as `http://127.0.0.1:8888`; it has to allow the format json.",
  ),
  ask_before_composed_addresses: orNone(yesOrNo).meta({
    description:
      "Whether a run or chat that has read private things asks before its first request to a host, where neither the user nor a search named the address; also in autopilot. After text of strangers was read, this is asked anyway.",
    defaultText: "as `accounts`",
  }),
  web_search_trusted: yesOrNo
    .default(true)
    .describe(
      "Whether a run that has read web pages may go on searching without asking: its queries could hold private words, " +
        "and the search provider would see them.",
    ),
  mcp_servers: orNone(mcpServers).meta({
    description:
      "MCP servers whose tools runs may use, a JSON object: for each name `command`, `args`, `env`, or `url`, `headers`; " +
      "`tools`: only these; `writes`: those that change something; `trust`: `reads`, if nothing that the others are sent " +
      "reaches strangers.",
    secret: true,
  }),
};

const agents = {
  agents_root: orNone(words).meta({
    description:
      "Folder of `run-agent` that the pages show. With `accounts`, each user has a folder of their own in it, and without this setting there are no agents: they are programs that run as the server's own user.",
    defaultText: "`~/run-agent`; with `accounts`, none",
  }),
  agent_engine: oneOf(["auto", "on", "off"])
    .default("auto")
    .describe(
      "Whether runs may be worked on by agent programs of this machine, with the logins they have here. " +
        "`auto`: where there is one local owner.",
    ),
  agent_config: orNone(words).describe(
    "The file with the agents, as `run-agent config init` makes it; else `~/run-agent/config.hcl`. Without agents in it, those on PATH are used.",
  ),
  agent_folders: z
    .array(
      words.refine((folder) => isAbsolute(folder), "must be absolute paths"),
      "must be a list of folders",
    )
    .max(100)
    .default([])
    .describe(
      "Folders whose git repositories runs may work on. Empty: any, where there is one local owner; else none.",
    ),
};

/** As @BotFather shows it: the bot's number and a secret. */
const botToken = /^\d{1,16}:[\w-]{20,100}$/;
export const isBotToken = (value: string): boolean => botToken.test(value);

const channels = {
  webhook_private_addresses: yesOrNo
    .default(false)
    .describe(
      "Whether webhooks of users may reach addresses inside: this machine and its network, also without https. " +
        "Only where you trust everyone who has an account.",
    ),
  telegram_bot_token: orNone(
    z.string("must be text").refine(isBotToken, "must be a token as @BotFather shows it, such as 123456:ABC-DEF…"),
  ).meta({
    description: "Token of the Telegram bot by which people are asked and told; made with @BotFather.",
    secret: true,
  }),
  telegram_bot_token_file: orNone(words).describe(
    "A file that holds the token of the Telegram bot, instead of `telegram_bot_token`.",
  ),
  telegram_api_url: apiAddress
    .default("https://api.telegram.org")
    .describe("Where the Telegram Bot API is reached: a server of your own, a proxy, a test."),
};

const people = {
  accounts: yesOrNo
    .default(false)
    .describe("Off: one local owner, signed in by a one-time link. On: people with e-mail and password."),
  sign_up: oneOf(["closed", "open"])
    .default("closed")
    .describe("Whether strangers may make an account. That of the admin is made with the link that the server prints."),
  secret: orNone(z.string("must be text").min(32, "must have at least 32 characters")).meta({
    description: "Signs sessions; at least 32 characters. Set the same one on every machine that shares a database.",
    secret: true,
    defaultText: "made once and kept in the data folder",
  }),
};

const limitSettings = {
  rate_limit_per_minute: whole(1, 1_000_000)
    .default(600)
    .describe("Requests one user, or one address that is not signed in, may make in a minute."),
  sign_in_limit_per_minute: whole(1, 10_000)
    .default(10)
    .describe("Attempts to sign in from one address in a minute; browsers that an account knows do not count."),
  max_connections: whole(10, 100_000)
    .default(usualConnectionLimits.inAll)
    .describe("Connections the server takes at once. Fifty more are kept for signing in and for health checks."),
  max_connections_per_address: whole(1, 100_000)
    .default(usualConnectionLimits.perAddress)
    .describe("The same from one address. Behind a proxy all connections come from the proxy's address."),
  max_streams_per_user: whole(1, 10_000).default(20).describe("Live streams one user may have open."),
  bin_retention_days: whole(1, 3_650).default(30).describe("Days that deleted things stay in the bin."),
};

const logging = {
  log_level: oneOf(["debug", "info", "warn", "error"])
    .default("info")
    .describe("The least important log lines to write."),
  log_format: oneOf(["pretty", "json"])
    .default("pretty")
    .describe("Log lines for people (`pretty`) or for programs (`json`)."),
};

const commandLine = {
  url: orNone(origin).describe(
    "A Homework server that commands such as `task list` talk to, instead of the one on the data folder.",
  ),
  api_key: orNone(words).meta({
    description: "API key for the server at `url`; made with `homework key create` or on its settings page.",
    secret: true,
  }),
};

/** In the order in which they are shown. */
const groups = {
  "Where things are": whereThingsAre,
  Serving: serving,
  Runs: runs,
  Outcomes: outcomes,
  Models: models,
  Tools: tools,
  Agents: agents,
  Channels: channels,
  People: people,
  Limits: limitSettings,
  Logging: logging,
  "Command line": commandLine,
};

export const configSchema = z.strictObject({
  ...whereThingsAre,
  ...serving,
  ...runs,
  ...outcomes,
  ...agents,
  ...models,
  ...tools,
  ...channels,
  ...people,
  ...limitSettings,
  ...logging,
  ...commandLine,
});

export type Config = Readonly<z.output<typeof configSchema>>;
export type SettingName = keyof Config;

/** When workers stop a run for going round in circles, and pages warn of it. */
export function breakersOf(config: Config): BreakerLimits {
  return {
    noProgress: config.breaker_no_progress,
    sameAction: config.breaker_same_action,
    backAndForth: config.breaker_back_and_forth,
    sameError: config.breaker_same_error,
    toolMisses: config.breaker_tool_missing,
    rejectedClaims: config.breaker_rejected_claims,
  };
}

/** Where several people have accounts, one of them may have written what another's run reads. */
export const asksBeforeComposedAddresses = (
  config: Pick<Config, "ask_before_composed_addresses" | "accounts">,
): boolean => config.ask_before_composed_addresses ?? config.accounts;

export const settingNames = Object.keys(configSchema.shape) as readonly SettingName[];

export const settingGroups = Object.entries(groups).map(([title, settings]) => ({
  title,
  names: Object.keys(settings) as readonly SettingName[],
}));

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(configSchema.shape, name);
}

export function aboutSetting(name: SettingName): About {
  return configSchema.shape[name].meta() as unknown as About;
}
