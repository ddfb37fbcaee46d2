// Names as a given name server knows them, both families.

import type { Resolver } from "node:dns/promises";
import type { Dial } from "../../src/tools/web/dial.ts";

export function resolveThrough(resolver: Resolver): Dial["resolve"] {
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  };
}
