// How providers, roles, prices and keys read on the page of models.

import type { routes } from "../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";

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
  repair: { label: "Repair", about: "Corrects malformed tool calls" },
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

export function describeKey({ source, from, end }: ProviderKey): string {
  const ending = end === null ? "" : `, ends in ${end}`;
  if (source === null) return "No key";
  if (source === "file") return `Saved${ending}`;
  return `Set ${source === "environment" ? `in ${from}` : "on the command line"}${ending}. Change it there.`;
}

/** The choice that leaves the role to the installation's own models. */
export const automatic = "";

export function listChoices({ models: chain, is_set: isSet }: RoleSetting, found: readonly FoundModel[]) {
  const now = chain[0];
  const label = isSet || now === undefined ? "Automatic" : `Automatic: ${now.slice(now.lastIndexOf("/") + 1)}`;
  const names = new Set([...(isSet && now !== undefined ? [now] : []), ...found.map(({ id }) => id)]);
  return [{ value: automatic, label }, ...[...names].map((id) => ({ value: id, label: id }))];
}
