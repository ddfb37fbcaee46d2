// A process that opens the embedded database, says so to its parent, and waits to be told to let go (or to be killed).

import type { EmbeddedCluster, EmbeddedInfo } from "../../src/db/embedded/embedded-cluster.ts";
import { openEmbedded } from "../../src/db/embedded/open-embedded.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { realEnv } from "./embedded-env.ts";

export type OpenerOrder = {
  readonly dataDir: string;
  /** How many times at once. */
  readonly times: number;
  readonly settings: Readonly<Record<string, string>>;
};

export type OpenerNews =
  | { readonly type: "opened"; readonly infos: readonly (EmbeddedInfo & { readonly adminUrl: string })[] }
  | { readonly type: "failed"; readonly message: string };

let clusters: readonly EmbeddedCluster[] = [];

process.on("message", (message: OpenerOrder | "release") => {
  (message === "release" ? letGo() : open(message)).catch((error: unknown) => {
    tell({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  });
});
process.on("disconnect", () => process.exit(1));

async function open({ dataDir, times, settings }: OpenerOrder): Promise<void> {
  const platform = { uid: process.getuid?.(), pid: process.pid };
  const options = { dataDir, env: realEnv, logger: silentLogger, say: () => {}, settings, platform };
  clusters = await Promise.all(Array.from({ length: times }, () => openEmbedded(options)));
  tell({ type: "opened", infos: clusters.map(({ info, adminUrl }) => ({ ...info, adminUrl })) });
}

async function letGo(): Promise<void> {
  await Promise.all(clusters.map((cluster) => cluster.release()));
  process.exit(0);
}

function tell(news: OpenerNews): void {
  process.send?.(news);
}
