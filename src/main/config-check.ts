// What settings must be together. Pure; a setting that is wrong by itself is missing here and not judged again.

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
      ? { name: "sign_up", message: "nobody can sign up while accounts are off: set accounts to true" }
      : null,
  ({ url, api_key }) =>
    url && api_key === null ? { name: "url", message: "needs api_key, a key made on that server" } : null,
];

export function checkTogether(config: Partial<Config>): readonly Problem[] {
  return rules.flatMap((rule) => rule(config) ?? []);
}

/** 127.0.0.0/8, ::1 and localhost: reachable from this machine only. */
function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return bare === "localhost" || bare === "::1" || /^127(\.\d{1,3}){3}$/.test(bare);
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}
