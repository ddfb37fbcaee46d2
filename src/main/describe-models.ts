// Models and roles in the words of the settings page: what makes a model usable, what it costs, who decides about a role. Pure.

import { serverNames } from "../llm/local-servers.ts";
import type { ModelRef } from "../llm/model.ts";
import { isProviderName, parseModelId, providerSpecs } from "../llm/model-id.ts";
import type { Price, PriceBook } from "../llm/prices.ts";
import type { FoundModel, RoleSetting } from "../server/ports/model-settings.ts";
import type { LoadedConfig } from "./config.ts";
import { isSettingName } from "./config-schema.ts";
import type { DescribedRole } from "./open-models.ts";

/** Null: a name that is no model's. */
export function describeModel(
  id: string,
  priceOf: PriceBook["priceOf"],
  origins: LoadedConfig["origins"],
): FoundModel | null {
  const model = parseModelId(id);
  return model && { id, ...findReason(model, origins), price: showPrice(priceOf(model)) };
}

export function describeRole(
  { role, models, from }: DescribedRole,
  { config, origins }: Pick<LoadedConfig, "config" | "origins">,
): RoleSetting {
  const name = `model_${role}` as const;
  const { source, from: where } = origins[name];
  return {
    role,
    models: models.map(({ model }) => model.id),
    why: from,
    isSet: config[name].length > 0,
    lockedBy: source === "environment" || source === "flag" ? where : null,
  };
}

function findReason(
  { provider, isDemo }: ModelRef,
  origins: LoadedConfig["origins"],
): Pick<FoundModel, "source" | "why"> {
  if (isDemo) return { source: "demo", why: "Built in: follows rules, no AI" };
  if (isProviderName(provider) && providerSpecs[provider].isLocal)
    return { source: "server", why: `${serverNames[provider] ?? provider} on this machine` };
  if (provider === "openai-compatible") return { source: "server", why: "Server of the setting openai_compatible_url" };
  const name = `${provider}_api_key`;
  const origin = isSettingName(name) ? origins[name] : null;
  if (origin?.source === "environment") return { source: "environment", why: `Key in ${origin.from}` };
  if (origin?.source === "flag") return { source: "command_line", why: "Key on the command line" };
  return { source: "file", why: "Key in the config file" };
}

const dollars = 1_000_000;

function showPrice(price: Price | "free" | null): FoundModel["price"] {
  if (price === null || price === "free") return price;
  return { input: price.input / dollars, output: price.output / dollars };
}
