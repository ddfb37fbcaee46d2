// What settings must be together. Pure; a setting that is wrong by itself is missing here and not judged again.

import { modelRoles } from "../llm/model.ts";
import { demoRef, parseModelId } from "../llm/model-id.ts";
import { neededSetting } from "../llm/model-problem.ts";
import type { Config } from "./config-schema.ts";

type Problem = { readonly name: keyof Config; readonly message: string };
type Rule = (config: Partial<Config>) => Problem | null;

const rules: readonly Rule[] = [
  ({ host, accounts }) =>
    host !== undefined && !isLoopback(host) && accounts === false
      ? {
          name: "host",
          message: `Binding to anything but loopback without accounts is refused: set accounts to true, or host to 127.0.0.1`,
        }
      : null,
  ({ public_url, accounts }) =>
    public_url && !isLoopback(new URL(public_url).hostname) && accounts === false
      ? { name: "public_url", message: "a public address without accounts is refused: set accounts to true" }
      : null,
  ({ host, public_url, allowed_hosts }) =>
    host !== undefined && isWildcard(host) && public_url === null && allowed_hosts?.length === 0
      ? {
          name: "host",
          message: "listening on every address needs public_url or allowed_hosts: the names people reach it by",
        }
      : null,
  ({ sign_up, accounts }) =>
    sign_up === "open" && accounts === false
      ? { name: "sign_up", message: "signing up needs accounts: set accounts to true" }
      : null,
  ({ telegram_bot_token, telegram_bot_token_file }) =>
    telegram_bot_token && telegram_bot_token_file
      ? { name: "telegram_bot_token_file", message: "give the token or the file that holds it, not both" }
      : null,
  ({ url, api_key }) =>
    url && api_key === null ? { name: "url", message: "needs api_key, a key made on that server" } : null,
];

const modelSettings = ["model", ...modelRoles.map((role) => `model_${role}` as const)] as const;

/** A model whose provider cannot be asked is not found out in the middle of the night. */
function unreachableModels(config: Partial<Config>): readonly Problem[] {
  return [...modelSettings, "homr_observation_model" as const].flatMap((name) => {
    const ids = name === "homr_observation_model" ? [config[name] ?? ""] : (config[name] ?? []);
    const missing = new Set(ids.flatMap((id) => missingFor(id, config) ?? []));
    return [...missing].map((what) => ({ name, message: `needs ${what}` }));
  });
}

function missingFor(id: string, config: Partial<Config>): keyof Config | null {
  const needed = neededSetting(parseModelId(id)?.provider ?? "");
  return needed !== null && config[needed] === null ? needed : null;
}

/** Behind a real model it would do that model's work by rules, and before one it never fails. */
function demoBesideOthers(config: Partial<Config>): readonly Problem[] {
  return modelSettings.flatMap((name) => {
    const ids = config[name] ?? [];
    const message = `${demoRef.id} must stand alone: it follows rules and is no substitute for a model`;
    return ids.length > 1 && ids.includes(demoRef.id) ? [{ name, message }] : [];
  });
}

export function checkTogether(config: Partial<Config>): readonly Problem[] {
  return [...rules.flatMap((rule) => rule(config) ?? []), ...unreachableModels(config), ...demoBesideOthers(config)];
}

/** Whether others than this machine can get here: by the address it listens on, or by a proxy with a name of its own. */
export function isReachable({ host, public_url, allowed_hosts }: Config): boolean {
  const names = [host, ...(public_url === null ? [] : [new URL(public_url).hostname]), ...allowed_hosts];
  return names.some((name) => !isLoopback(name.replace(/(?<=[^:]):\d+$/, "")));
}

/** 127.0.0.0/8, ::1 and localhost: reachable from this machine only. */
function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return bare === "localhost" || bare === "::1" || /^127(\.\d{1,3}){3}$/.test(bare);
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}
