// The address of an installation, apart from the server's own code: a worker needs only this of it.

import type { Config } from "./config-schema.ts";

/** An IPv6 address stands in brackets in a URL. */
export const hostOf = (host: string) => (host.includes(":") ? `[${host}]` : host);

/** Where people reach it. */
export const originOf = ({ public_url, host }: Pick<Config, "public_url" | "host">, port: number): string =>
  public_url ?? `http://${hostOf(host)}:${port}`;
