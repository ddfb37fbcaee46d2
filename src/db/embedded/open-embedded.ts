// Opens the PostgreSQL that npm brings, in the product's data folder: creates it the first time, finds the server that
// runs already, starts one otherwise. Any number of our processes may use it; it outlives any that is killed.

import { makeDataFolder } from "./data-folder.ts";
import type { EmbeddedCluster, EmbeddedOptions } from "./embedded-cluster.ts";
import { withAdvice } from "./file-error.ts";
import { Member } from "./member.ts";

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedCluster> {
  return withAdvice(options.dataDir, async () => {
    const data = makeDataFolder(options.dataDir, options.platform.uid === 0);
    const member = new Member(options, data);
    await member.enter();
    return member;
  });
}
