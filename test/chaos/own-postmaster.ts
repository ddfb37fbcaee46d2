// A PostgreSQL of the harness's own, durable as a user's would be: our processes know only its address and cannot bring it
// back. It may be killed; the harness then starts it again, as an init system would, until it answers.

import { inspectEmbedded } from "../../src/db/embedded/inspect-embedded.ts";
import { openEmbedded } from "../../src/db/embedded/open-embedded.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { realEnv } from "../../src/main/env.ts";
import { makeDataFolder, removeDataFolder } from "../helpers/served.ts";

export type OwnPostmaster = {
  readonly adminUrl: string;
  readonly kill: () => boolean;
  readonly close: () => Promise<void>;
};

const triesMax = 20;

export async function startOwnPostmaster(): Promise<OwnPostmaster> {
  const folder = makeDataFolder();
  const platform = { uid: process.getuid?.(), pid: process.pid };
  const cluster = await openEmbedded({
    dataDir: folder,
    env: realEnv,
    logger: silentLogger,
    say: () => {},
    platform,
  });
  const { adminUrl } = cluster;
  let comingBack: Promise<void> = Promise.resolve();
  const bringBack = async () => {
    for (let tries = 0; tries < triesMax; tries++) {
      const isUp = await cluster.ensureRunning().then(
        () => true,
        () => false,
      );
      if (isUp) break;
      await realEnv.sleep(500);
    }
    if (cluster.adminUrl !== adminUrl)
      throw new Error("the postmaster came back at another address: its port was taken");
  };
  return {
    adminUrl,
    kill: () => {
      const { server } = inspectEmbedded(folder);
      if (server.state !== "running") return false;
      process.kill(server.process.pid, "SIGKILL");
      comingBack = comingBack.then(bringBack);
      comingBack.catch(() => {}); // Said by `close`.
      return true;
    },
    close: async () => {
      const [cameBack] = await Promise.allSettled([comingBack]);
      await cluster.release();
      await removeDataFolder(folder);
      if (cameBack.status === "rejected") throw cameBack.reason;
    },
  };
}
