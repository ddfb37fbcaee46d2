// The models of this process, put together from the settings, the keys and what runs on this machine.

import { AppError } from "../lib/app-error.ts";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import { timeoutsAfter } from "../llm/answer-limits.ts";
import { type Chosen, type ChosenFrom, chooseModels, type Server, usualModels } from "../llm/choose-models.ts";
import { findLocalProblem, findLocalServers, listModels } from "../llm/local-servers.ts";
import { type ModelRef, type ModelRole, type Models, modelRoles } from "../llm/model.ts";
import { type ProviderName, parseModelId, providerNames, providerSpecs } from "../llm/model-id.ts";
import { findModelProblem, type NeededSetting, neededSetting } from "../llm/model-problem.ts";
import { toOwnPrices } from "../llm/price-settings.ts";
import { createPriceBook, type Price, type PriceBook } from "../llm/prices.ts";
import type { Provider, Providers } from "../llm/providers.ts";
import type { Config } from "./config-schema.ts";

export type DescribedModel = { readonly model: ModelRef; readonly price: Price | "free" | null };

export type DescribedRole = {
  readonly role: ModelRole;
  /** The first is asked, the others if it fails. */
  readonly models: readonly DescribedModel[];
  /** Why it has these, in a few words. */
  readonly from: string;
};

export type OpenModels = Models & {
  readonly describe: () => readonly DescribedRole[];
  /** Whom a model can be asked from. */
  readonly providers: Providers;
  /** Names of models to choose from: those that are asked, and what else these providers have. */
  readonly choices: readonly string[];
  /** Null: unknown. */
  readonly priceOf: PriceBook["priceOf"];
  /** Why a model of this name cannot be asked, and what to do; null: it can. A server of this machine is looked for. */
  readonly findProblem: (id: string) => Promise<string | null>;
};

/** A server that the settings name may be on another machine, and just waking up. */
const ownServerWaitMs = 3_000;

export async function openModels(
  config: Config,
  env: Env,
  logger: Logger,
  fetchPage: typeof fetch = fetch,
): Promise<OpenModels> {
  const providers = providersOf(config);
  const { chosen, servers, withKey } = await choose(config, providers, logger, fetchPage);
  // The SDK is much to load, and the demo model needs none of it; but which model will be asked is not known yet.
  const [{ createModels }, { demoCall }] = await Promise.all([
    import("../llm/models.ts"),
    import("../llm/demo/demo-model.ts"),
  ]);
  const chains = byRole((role) => chosen[role].models);
  const ownPrices = toOwnPrices(config.model_prices);
  const prices = createPriceBook(ownPrices);
  const withoutTools = config.models_without_tools;
  const timeouts = timeoutsAfter(config.model_answer_seconds);
  const models = createModels({
    chains,
    providers,
    env,
    fetch: fetchPage,
    demo: demoCall,
    ownPrices,
    withoutTools,
    timeouts,
  });
  const ids = modelRoles.flatMap((role) => chains[role].map(({ id }) => id));
  const known = [
    ...withKey.flatMap(usualModels),
    ...servers.flatMap(({ name, models: has }) => has.map((model) => `${name}/${model}`)),
  ];
  return {
    ...models,
    providers,
    priceOf: prices.priceOf,
    choices: [...new Set([...ids, ...known])].slice(0, choicesMax),
    findProblem: async (id) => {
      const hasProvider = (setting: NeededSetting) =>
        [...providers.keys()].some((name) => neededSetting(name) === setting);
      return findModelProblem(id, hasProvider) ?? findLocalProblem(parseModelId(id), fetchPage);
    },
    describe: () => modelRoles.map((role) => describeRole(role, chosen[role], prices)),
  };
}

/** A list that people still read; any other name may be typed. */
const choicesMax = 100;

function byRole<T>(make: (role: ModelRole) => T): Readonly<Record<ModelRole, T>> {
  return Object.fromEntries(modelRoles.map((role) => [role, make(role)])) as Record<ModelRole, T>;
}

type Choice = {
  readonly chosen: Readonly<Record<ModelRole, Chosen>>;
  readonly withKey: readonly ProviderName[];
  readonly servers: readonly Server[];
};

async function choose(config: Config, providers: Providers, logger: Logger, fetchPage: typeof fetch): Promise<Choice> {
  const named = byRole((role): readonly string[] => config[`model_${role}`]);
  const isAllNamed = config.model.length > 0 || modelRoles.every((role) => named[role].length > 0);
  const withKey = [...providers.values()].filter(isOfKey).map(({ name }) => name);
  const ownServer = isAllNamed ? null : await askOwnServer(providers, withKey.length > 0, logger, fetchPage);
  const looks = config.find_local_models && !isAllNamed && withKey.length === 0 && ownServer === null;
  const local = looks ? await findLocalServers(fetchPage) : [];
  const found = local.map(({ provider, models }) => ({ name: provider.name, models }));
  const chosen = chooseModels({ named, namedForAll: config.model, withKey, ownServer, found });
  return { chosen, withKey, servers: [...(ownServer === null ? [] : [ownServer]), ...found] };
}

const isOfKey = ({ name, apiKey }: Provider) => apiKey !== null && name !== "openai-compatible";

/** Never the demo model instead: a user who named a server wants the answers of that server. */
async function askOwnServer(
  providers: Providers,
  hasKeys: boolean,
  logger: Logger,
  fetchPage: typeof fetch,
): Promise<Server | null> {
  const server = providers.get("openai-compatible");
  if (server === undefined) return null;
  const models = await listModels(server, fetchPage, ownServerWaitMs);
  if (models !== null && models.length > 0) return { name: server.name, models };
  const problem = `openai_compatible_url: ${server.baseUrl}/models lists no models. Name one: model=openai-compatible/NAME`;
  if (!hasKeys) throw new AppError("config_invalid", problem);
  logger.warn({ url: server.baseUrl }, problem);
  return null;
}

function providersOf(config: Config): Providers {
  const settings: Readonly<Partial<Record<ProviderName, { key: string | null; url: string | null }>>> = {
    openrouter: { key: config.openrouter_api_key, url: config.openrouter_base_url },
    anthropic: { key: config.anthropic_api_key, url: config.anthropic_base_url },
    openai: { key: config.openai_api_key, url: config.openai_base_url },
    google: { key: config.google_api_key, url: config.google_base_url },
    "openai-compatible": { key: config.openai_compatible_api_key, url: config.openai_compatible_url },
  };
  const able = providerNames.flatMap((name): readonly Provider[] => {
    const { key = null, url = null } = settings[name] ?? {};
    const baseUrl = url ?? providerSpecs[name].baseUrl;
    const isUsable = providerSpecs[name].isLocal || name === "openai-compatible" || key !== null;
    const more = name === "openrouter" ? { mayCollectData: config.openrouter_data_collection } : {};
    return baseUrl !== null && isUsable ? [{ name, baseUrl, apiKey: key, ...more }] : [];
  });
  return new Map(able.map((provider) => [provider.name, provider]));
}

function describeRole(role: ModelRole, { models, from }: Chosen, { priceOf }: PriceBook): DescribedRole {
  return { role, models: models.map((model) => ({ model, price: priceOf(model) })), from: sayFrom(from) };
}

function sayFrom(from: ChosenFrom): string {
  if (from.kind === "setting") return `setting ${from.name}`;
  if (from.kind === "keys") return `keys for ${from.providers.join(", ")}`;
  if (from.kind === "server")
    return from.provider === "openai-compatible" ? "setting openai_compatible_url" : `${from.provider} on this machine`;
  return "no key and no model server found";
}
