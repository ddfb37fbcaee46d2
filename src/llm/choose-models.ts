// Which model each role gets and what comes after it. What the settings name wins; else the server they name and every
// provider that has a key take part, in this order; else what runs on this machine; else the demo model. Pure.

import type { NonEmpty } from "../domain/run/run.ts";
import { type ModelRef, type ModelRole, modelRoles } from "./model.ts";
import { demoRef, type ProviderName, parseModelId } from "./model-id.ts";

export type ChooseInput = {
  /** Named for one role; empty: not named. */
  readonly named: Readonly<Record<ModelRole, readonly string[]>>;
  /** Named for all roles. */
  readonly namedForAll: readonly string[];
  /** Providers that have a key. */
  readonly withKey: readonly ProviderName[];
  /** The server that the settings name, with the models it has. */
  readonly ownServer: Server | null;
  /** Servers found on this machine. */
  readonly found: readonly Server[];
};

/** The first of its models is taken. */
export type Server = { readonly name: ProviderName; readonly models: readonly string[] };

/** Why a role has the models it has, for people. */
export type ChosenFrom =
  | { readonly kind: "setting"; readonly name: string }
  | { readonly kind: "keys"; readonly providers: readonly string[] }
  | { readonly kind: "server"; readonly provider: string }
  | { readonly kind: "nothing" };

export type Chosen = { readonly models: NonEmpty<ModelRef>; readonly from: ChosenFrom };

type Usual = { readonly strong: NonEmpty<string>; readonly quick: NonEmpty<string> };

/** The order in which providers are asked. OpenRouter first: people with a key there want one bill. */
const usual: Readonly<Partial<Record<ProviderName, Usual>>> = {
  openrouter: {
    strong: ["openrouter/anthropic/claude-sonnet-5.5", "openrouter/openai/gpt-6.1-sol"],
    quick: ["openrouter/openai/gpt-6-luna", "openrouter/anthropic/claude-haiku-5.5"],
  },
  anthropic: { strong: ["anthropic/claude-sonnet-5-5"], quick: ["anthropic/claude-haiku-5-5"] },
  openai: { strong: ["openai/gpt-6.1-sol"], quick: ["openai/gpt-6-luna"] },
  google: { strong: ["google/gemini-3.8-flash"], quick: ["google/gemini-3.8-flash"] },
};

/** What is usually asked of a provider, the strong ones first. */
export const usualModels = (name: ProviderName): readonly string[] => [
  ...(usual[name]?.strong ?? []),
  ...(usual[name]?.quick ?? []),
];

/** They rewrite what is there; the others have to think. */
const quickRoles: readonly ModelRole[] = ["repair", "summary"];

export function chooseModels(input: ChooseInput): Readonly<Record<ModelRole, Chosen>> {
  const chosen = modelRoles.map((role) => [role, chooseFor(role, input)] as const);
  return Object.fromEntries(chosen) as Record<ModelRole, Chosen>;
}

function chooseFor(role: ModelRole, { named, namedForAll, withKey, ownServer, found }: ChooseInput): Chosen {
  const forRole = toChain(named[role]);
  if (forRole) return { models: forRole, from: { kind: "setting", name: `model_${role}` } };
  const forAll = toChain(namedForAll);
  if (forAll) return { models: forAll, from: { kind: "setting", name: "model" } };
  const speed = quickRoles.includes(role) ? "quick" : "strong";
  const providers = (Object.keys(usual) as ProviderName[]).filter((name) => withKey.includes(name));
  const byKey = providers.flatMap((name) => usual[name]?.[speed] ?? []);
  // A server is named on purpose; a key may just lie around.
  const own = ownServer === null ? [] : firstOf(ownServer);
  const known = toChain([...own, ...byKey]);
  if (known && ownServer && own.length > 0)
    return { models: known, from: { kind: "server", provider: ownServer.name } };
  if (known) return { models: known, from: { kind: "keys", providers } };
  const server = found.find(({ models }) => models.length > 0);
  const local = server && toChain(firstOf(server));
  if (local) return { models: local, from: { kind: "server", provider: server.name } };
  return { models: [demoRef], from: { kind: "nothing" } };
}

const firstOf = ({ name, models }: Server): readonly string[] => models.slice(0, 1).map((model) => `${name}/${model}`);

/** Null: the list names no model. The settings were checked before, so every name here is valid. */
function toChain(ids: readonly string[]): NonEmpty<ModelRef> | null {
  const [first, ...rest] = [...new Set(ids)].map(parseModelId).filter((model) => model !== null);
  return first ? [first, ...rest] : null;
}
