// The program: takes what the process was given, hands it to the command line, and ends with its number.

import type { Host } from "../cli/ports.ts";
import { runCli } from "../cli/run.ts";
import { realEnv } from "./env.ts";
import { files } from "./ports-files.ts";
import { openRealSettings, settingsPort } from "./ports-settings.ts";
import { stopOnSignals } from "./ports-signals.ts";
import { flushTerminal, openTerminal } from "./ports-terminal.ts";
import { readVersion } from "./version.ts";

const version = readVersion();

const host: Host = {
  env: realEnv,
  terminal: openTerminal(process.env),
  files,
  version,
  workingFolder: process.cwd(),
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  stop: stopOnSignals(),
  open: async (flags, say) => {
    const settings = openRealSettings(flags, process.env);
    // Server and database are most of the program; `--help` and a wrong setting need not wait for them to load.
    const { openServices } = await import("./ports-services.ts");
    return openServices({ settings, environment: process.env, version, say });
  },
  settings: settingsPort(process.env),
};

process.exitCode = await runCli(process.argv.slice(2), host);
await flushTerminal();
// Not left to the event loop: a socket that a library forgot must not keep a finished command alive.
process.exit();
