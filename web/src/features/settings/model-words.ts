// How providers, roles, prices and keys read on the page of models.

import type { routes } from "../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { nameModel } from "../../../../src/protocol/words/model.ts";

export type ModelSettings = RouteResult<typeof routes.models.settings>;
export type FoundModel = ModelSettings["models"][number];
export type RoleSetting = ModelSettings["roles"][number];
export type ProviderKey = ModelSettings["keys"][number];

export const providerNames: Readonly<Record<ProviderKey["provider"], string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  google: "Google",
  openrouter: "OpenRouter",
};

export const roleWords: Readonly<Record<RoleSetting["role"], { readonly label: string; readonly about: string }>> = {
  planner: { label: "Planner", about: "Plans a run and writes its results" },
  executor: { label: "Executor", about: "Carries out steps of a plan" },
  repair: { label: "Repair", about: "Mends an answer that could not be read" },
  summary: { label: "Summary", about: "Writes summaries and reports" },
  judge: { label: "Judge", about: "Checks whether work meets its criteria" },
  observer: { label: "Observer", about: "Watches the tasks of outcomes" },
  chat: { label: "Chat", about: "Answers in chats" },
};

export function describePrice(price: FoundModel["price"]): string {
  if (price === null) return "Price unknown";
  return price === "free" ? "Free" : `${dollarsOf(price.input)} in, ${dollarsOf(price.output)} out per million tokens`;
}

/** `$2`, `$0.10`, `$0.125`. */
const dollarsOf = (usd: number) =>
  `$${usd.toLocaleString("en-US", { minimumFractionDigits: Number.isInteger(usd) ? 0 : 2, maximumFractionDigits: 4 })}`;

export function describeKey({ source, end }: ProviderKey): string {
  const ending = end === null ? "" : `, ends in ${end}`;
  if (source === null) return "No key";
  if (source === "file") return `Saved${ending}`;
  return `Set where the server is started${ending}`;
}

/** `openrouter/anthropic/claude-sonnet-5.5` is Claude Sonnet of Anthropic, reached through OpenRouter. */
export function splitModel(id: string): { readonly name: string; readonly from: string } {
  const parts = id.split("/");
  const from = parts.slice(0, -1).reverse().map(nameProvider).join(" through ");
  return { name: nameModel(id), from };
}

const nameProvider = (key: string): string =>
  providerNames[key as ProviderKey["provider"]] ?? key.charAt(0).toUpperCase() + key.slice(1);

/** Where no key is needed, that is what makes the model usable; where the key is stands with the keys. */
export function describeModel({ id, source, why, price }: FoundModel): string {
  const { from } = splitModel(id);
  return [from, ...(source === "server" || source === "demo" ? [why] : []), describePrice(price)]
    .filter(Boolean)
    .join(" · ");
}

/** The choice that leaves the role to the installation's own models. */
export const automatic = "";

export function listChoices({ models: chain, is_set: isSet }: RoleSetting, found: readonly FoundModel[]) {
  const now = chain[0];
  const label = isSet || now === undefined ? "Automatic" : `Automatic: ${nameModel(now)}`;
  const names = new Set([...(isSet && now !== undefined ? [now] : []), ...found.map(({ id }) => id)]);
  return [{ value: automatic, label }, ...[...names].map((id) => ({ value: id, label: labelOf(id) }))];
}

/** Two providers may offer a model of the same name. */
function labelOf(id: string): string {
  const { name, from } = splitModel(id);
  return from === "" ? name : `${name} · ${from}`;
}
