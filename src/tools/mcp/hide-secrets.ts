// Takes what an operator gave a server in confidence out of what the server says: an answer or an error that repeats it would
// carry it into prompts, the database and the log.

import type { McpServer } from "./mcp-config.ts";

/** A shorter word would be found in half of all texts. */
const secretMin = 8;
/** Other variables are folders, languages and switches, which answers may well be about. */
const secretName = /key|token|secret|pass|auth|credential/i;

export function hideSecretsOf({
  headers = {},
  env = {},
}: Pick<McpServer, "headers" | "env">): (text: string) => string {
  const named = Object.entries(env).flatMap(([name, value]) => (secretName.test(name) ? value : passwordIn(value)));
  const secrets = [...Object.values(headers), ...named]
    // `Bearer abc` may come back without its first word.
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter(({ length }) => length >= secretMin)
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, "[hidden]"), text);
}

function passwordIn(value: string): readonly string[] {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url === null || url.password === "" ? [] : [url.password, ...decoded(url.password)];
}

function decoded(password: string): readonly string[] {
  try {
    return [decodeURIComponent(password)];
  } catch {
    return []; // It stands there as it is.
  }
}
