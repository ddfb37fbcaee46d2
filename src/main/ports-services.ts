// What stands behind the commands once the settings are known. Nothing here starts, or is even loaded, before it is asked
// for: a command that only talks to a server should not wait for the server's own code.

import type { Services } from "../cli/ports.ts";
import type { LoadedConfig } from "./config.ts";
import { createLogger } from "./logger.ts";
import { connect, findServer } from "./ports-connect.ts";
import { webPages } from "./ports-web.ts";
import { refuseAgents } from "./refuse-agents.ts";
import type { ServeInput } from "./serve.ts";
import type { SettingsFile } from "./settings-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type ServicesInput = {
  readonly settings: SettingsFile;
  readonly environment: Environment;
  readonly version: string;
  /** Words for the person, one line each. */
  readonly say: (line: string) => void;
};

export function openServices({ settings, environment, version, say }: ServicesInput): Services {
  const { loaded } = settings;
  const { config } = loaded;
  const input: ServeInput = { config, logger: createLogger(config), say, version, settings };
  const command: ServeInput = { ...input, logger: createLogger({ ...config, log_level: commandLogLevel(loaded) }) };
  const ofOwner = async <Part>(load: () => Promise<Part>): Promise<Part> => {
    refuseAgents(config.data);
    return load();
  };
  const database = () => ofOwner(async () => (await import("./database-port.ts")).databasePort(command));
  // A key says by itself whose it is.
  const connectAs = (how: { readonly works: boolean }) =>
    config.api_key === null ? ofOwner(() => connect(command, how)) : connect(command, how);
  return {
    connect: () => connectAs({ works: false }),
    connectWorking: () => connectAs({ works: true }),
    findServer: () => findServer(command),
    server: {
      serve: async (options) => (await ofOwner(() => import("./serve.ts"))).serve(input, options),
      worker: async (options) => (await ofOwner(() => import("./worker.ts"))).work(input, options),
      dev: async (options) =>
        (await ofOwner(() => import("./ports-dev.ts"))).serveAndReload(loaded, environment, options),
    },
    web: webPages,
    doctor: async (about, stop) => {
      refuseAgents(config.data);
      if (about === "runs") return (await import("./doctor-runs.ts")).examineRuns(command);
      if (about === "backup") return (await import("./prove-backup.ts")).proveBackup(command, stop);
      return (await import("./doctor.ts")).examine(command);
    },
    database: {
      status: async () => (await database()).status(),
      migrate: async () => (await database()).migrate(),
      dump: async (file, options) => (await database()).dump(file, options),
      restore: async (file, options) => (await database()).restore(file, options),
      stop: async () => (await database()).stop(),
    },
    models: {
      list: async () => (await import("./ports-models.ts")).listModels(command),
      agents: async () => (await import("./ports-models.ts")).listAgents(command),
      test: async (target, signal) =>
        (await ofOwner(() => import("./ports-models.ts"))).testModel(command, target, signal),
    },
    people: async () => (await ofOwner(() => import("./people.ts"))).openPeople(command),
  };
}

/** What a server writes to its log is noise around the answer of a command, unless someone asked for it. */
function commandLogLevel({ config, origins }: LoadedConfig) {
  return origins.log_level.source === "default" ? "warn" : config.log_level;
}
