// The settings of run-agent from all their sources: command line, environment, TASK-CONFIG.yaml, PROJECT-CONFIG.yaml, config.hcl, defaults,
// in this order of strength. Single values override, lists replace, maps are merged name by name. All problems are told at once.

import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { mustFit } from "../../lib/shape.ts";
import { answersOnly, type BackendName, backendNames } from "../backends/backend.ts";
import { checkConfig } from "./check-config.ts";
import { readHclLayer, readYamlLayer } from "./file-layers.ts";
import { absolute, type Given, type Layer, type Origin } from "./layer.ts";
import type { AgentSettings, RunnerConfig } from "./runner-config.ts";
import { Secret } from "./secret.ts";
import type { Leaf, Setting } from "./setting.ts";
import { settings } from "./settings.ts";
import { readEnvironment, readOptions } from "./text-layers.ts";

/** A file of settings that an agent can write, already parsed. */
type YamlFile = { readonly file: string; readonly content: Readonly<Record<string, unknown>> };

export type ConfigInput = {
  /** config.hcl; it need not be there. */
  readonly file: string;
  /** Null: there is no such file. Throws `AppError` where it cannot be read. */
  readonly readFile: (file: string) => string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By the name of the setting: `{ "selection.strategy": "lucky" }`. */
  readonly options: Readonly<Record<string, string>>;
  readonly task: YamlFile | null;
  readonly project: YamlFile | null;
  readonly homeFolder: string;
  readonly workingFolder: string;
};

export type ShownSetting = {
  readonly name: string;
  /** Secrets are masked; null: not set. */
  readonly value: string | number | null | readonly string[];
  readonly source: Origin["source"];
  readonly from: string | null;
};

export type LoadedConfig = {
  readonly config: RunnerConfig;
  readonly shown: readonly ShownSetting[];
  readonly file: string;
};

/** Throws `config_invalid` with every problem in one message, a line each. */
export function loadConfig(input: ConfigInput): LoadedConfig {
  const { given, problems } = gather(input);
  const values = new Values(given, problems);
  const config = buildConfig(values, input);
  if (problems.length === 0) problems.push(...checkConfig(config, (name) => values.originOf(name).from));
  if (problems.length > 0)
    throw new AppError("config_invalid", problems.join("\n"), { details: { problems: [...problems] } });
  return { config, shown: values.shown(), file: input.file };
}

type Gathered = { readonly given: ReadonlyMap<string, Given>; readonly problems: string[] };

function gather(input: ConfigInput): Gathered {
  const { file, homeFolder, workingFolder, project, task } = input;
  const text = input.readFile(file);
  const files: readonly Layer[] = [
    text === null ? { given: [], problems: [] } : readHclLayer(file, text, homeFolder),
    ...(project === null ? [] : [readYamlLayer(project.file, project.content, "project", homeFolder)]),
    ...(task === null ? [] : [readYamlLayer(task.file, task.content, "task", homeFolder)]),
  ];
  const named = files.flatMap((layer) => agentNamesIn(layer.given));
  const options = { base: workingFolder, homeFolder, agentNames: [...named, ...backendNames] };
  const layers = [...files, readEnvironment(input.environment, options), readOptions(input.options, options)];
  const problems = layers.flatMap((layer) => [...layer.problems, ...findTwoTokens(layer)]);
  return { given: merge(layers), problems };
}

const agentNamesIn = (given: Iterable<Given>): readonly string[] => [
  ...new Set([...given].flatMap(({ path: name }) => (name.startsWith("agents.") ? [name.split(".")[1] ?? ""] : []))),
];

/** The weakest layer first. A token given two ways is one setting: the stronger source replaces it, however it is given. */
function merge(layers: readonly Layer[]): ReadonlyMap<string, Given> {
  const merged = new Map<string, Given>();
  for (const { given } of layers)
    for (const each of given) {
      if (isToken(each.path)) merged.delete(otherToken(each.path));
      if (mayOverride(merged.get(each.path), each)) merged.set(each.path, each);
    }
  return merged;
}

/** An agent can write the files of its task and project: what it may cost, they can lower and not raise. */
function mayOverride(weaker: Given | undefined, each: Given): boolean {
  const isAgents = each.origin.source === "task" || each.origin.source === "project";
  if (!each.leaf.isCeiling || !isAgents || typeof weaker?.value !== "number") return true;
  return typeof each.value === "number" ? each.value <= weaker.value : each.value !== null;
}

const isToken = (name: string): boolean => /^agents\.[^.]+\.token(_file)?$/.test(name);
const otherToken = (name: string): string => (name.endsWith("_file") ? name.slice(0, -"_file".length) : `${name}_file`);

function findTwoTokens({ given }: Layer): readonly string[] {
  const names = new Set(given.filter(({ value }) => value !== null).map((each) => each.path));
  return given
    .filter(
      ({ path: name }) => name.endsWith(".token") && isToken(name) && names.has(name) && names.has(otherToken(name)),
    )
    .map(({ path: name, origin }) => `${origin.from}: ${name} and ${otherToken(name)} are both set. Keep one of them.`);
}

/** Reads values by their setting; what is wrong goes to `problems`, and the default stands in for it. */
class Values {
  readonly #given: ReadonlyMap<string, Given>;
  readonly #problems: string[];

  constructor(given: ReadonlyMap<string, Given>, problems: string[]) {
    this.#given = given;
    this.#problems = problems;
  }

  read<Out>(leaf: Leaf<Out>, name: string): Out {
    const given = this.#given.get(name);
    if (given === undefined) return mustFit(leaf.shape, leaf.fallback);
    const fit = leaf.shape(given.value);
    if (fit.ok) return fit.value;
    this.problem(name, fit.why);
    return mustFit(leaf.shape, leaf.fallback);
  }

  problem(name: string, why: string): void {
    this.#problems.push(`${this.originOf(name).from}: ${name} ${why}.`);
  }

  originOf(name: string): Origin {
    return this.#given.get(name)?.origin ?? { source: "default", from: "default" };
  }

  /** Names of the members of a family that have a value. */
  members(name: string): readonly string[] {
    const prefix = `${name}.`;
    const found = [...this.#given.keys()].filter((each) => each.startsWith(prefix));
    return [...new Set(found.map((each) => each.slice(prefix.length).split(".")[0] ?? ""))];
  }

  shown(): readonly ShownSetting[] {
    return showBelow(settings, "", (name) => this.members(name)).map(({ name, leaf }) => {
      const given = this.#given.get(name);
      const { source, from } = this.originOf(name);
      return {
        name,
        value: mask(leaf, given === undefined ? leaf.fallback : given.value),
        source,
        from: given ? from : null,
      };
    });
  }
}

type NamedLeaf = { readonly name: string; readonly leaf: Leaf };

function showBelow(setting: Setting, name: string, members: (name: string) => readonly string[]): readonly NamedLeaf[] {
  if (setting.kind === "leaf") return [{ name, leaf: setting }];
  const below: readonly (readonly [string, Setting])[] =
    setting.kind === "group"
      ? Object.entries(setting.members)
      : members(name).map((member) => [member, setting.member] as const);
  return below.flatMap(([member, each]) => showBelow(each, name === "" ? member : `${name}.${member}`, members));
}

function mask({ isSecret }: Leaf, value: unknown): ShownSetting["value"] {
  if (value === null || value === undefined) return null;
  if (isSecret) return "(set)";
  return value as Exclude<ShownSetting["value"], null>;
}

function buildConfig(values: Values, input: ConfigInput): RunnerConfig {
  const { members } = settings;
  const { selection, serve } = members;
  const projectsRoot = values.read(members.projects_root, "projects_root");
  return {
    projectsRoot: absolute(projectsRoot, input.workingFolder, input.homeFolder),
    maxRestarts: values.read(members.max_restarts, "max_restarts"),
    timeBudgetMs: values.read(members.time_budget, "time_budget"),
    costBudgetMicroUsd: values.read(members.cost_budget, "cost_budget"),
    restartDelayMs: values.read(members.restart_delay, "restart_delay"),
    childWaitTimeoutMs: values.read(members.child_wait_timeout, "child_wait_timeout"),
    childPollIntervalMs: values.read(members.child_poll_interval, "child_poll_interval"),
    idleThresholdMs: values.read(members.idle_threshold, "idle_threshold"),
    stuckThresholdMs: values.read(members.stuck_threshold, "stuck_threshold"),
    maxDelegationDepth: values.read(members.max_delegation_depth, "max_delegation_depth"),
    agents: values.members("agents").flatMap((name) => buildAgent(values, name, input) ?? []),
    selection: {
      strategy: values.read(selection.members.strategy, "selection.strategy"),
      order: values.read(selection.members.order, "selection.order"),
      weights: new Map(
        values
          .members("selection.weights")
          .map((name) => [name, values.read(selection.members.weights.member, `selection.weights.${name}`)]),
      ),
      cooldownMs: values.read(selection.members.cooldown, "selection.cooldown"),
    },
    serve: { host: values.read(serve.members.host, "serve.host"), port: values.read(serve.members.port, "serve.port") },
  };
}

function buildAgent(values: Values, name: string, input: ConfigInput): AgentSettings | null {
  const { members } = settings.members.agents.member;
  const at = `agents.${name}`;
  const type = values.read(members.type, `${at}.type`) ?? backendNames.find((each) => each === name) ?? null;
  const agent = {
    name,
    token: readToken(values, at, input),
    baseUrl: values.read(members.base_url, `${at}.base_url`),
    model: values.read(members.model, `${at}.model`),
    command: values.read(members.command, `${at}.command`),
  };
  for (const member of values.members(at))
    if (type !== null && withoutEffect(type).includes(member))
      values.problem(`${at}.${member}`, `has no effect on an agent of type ${type}. Remove it`);
  if (type === "acp") return { ...agent, type, acp: readAcp(values, at) };
  if (type !== null) return { ...agent, type };
  const [first = "model"] = values.members(at);
  values.problem(`${at}.${first}`, `belongs to an agent without a type. Add type, one of ${backendNames.join(", ")}`);
  return null;
}

const ofAcp = ["permissions", "mode", "key_variable"];

/** Settings that this kind of agent does not look at. */
function withoutEffect(type: BackendName): readonly string[] {
  if (type === "acp") return [];
  if (type === "command") return ["token", "token_file", "base_url", "model", ...ofAcp];
  return answersOnly(type) ? ["command", ...ofAcp] : ofAcp;
}

function readAcp(values: Values, at: string): NonNullable<AgentSettings["acp"]> {
  const { members } = settings.members.agents.member;
  return {
    permissions: values.read(members.permissions, `${at}.permissions`) ?? "allow",
    mode: values.read(members.mode, `${at}.mode`),
    keyVariable: values.read(members.key_variable, `${at}.key_variable`),
  };
}

/** A file that is missing or empty is a problem of the settings: a run would only find out later. */
function readToken(values: Values, at: string, input: ConfigInput): Secret | null {
  const { members } = settings.members.agents.member;
  const token = values.read(members.token, `${at}.token`);
  const tokenFile = values.read(members.token_file, `${at}.token_file`);
  if (token !== null && !token.startsWith("@")) return new Secret(token.trim());
  const name = token === null ? `${at}.token_file` : `${at}.token`;
  const file = token === null ? tokenFile : absolute(token.slice(1), path.dirname(input.file), input.homeFolder);
  if (file === null) return null;
  try {
    const content = input.readFile(file)?.trim();
    if (content) return new Secret(content);
    values.problem(name, content === undefined ? `names ${file}, which is missing` : `names ${file}, which is empty`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    values.problem(name, `names a file that cannot be used: ${error.message.replace(/\.$/, "")}`);
  }
  return null;
}
