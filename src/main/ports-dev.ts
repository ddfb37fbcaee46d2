// `homework dev`: the server from its sources, started again when they change, and the pages, built again when they do.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ServeOptions } from "../cli/ports.ts";
import type { LoadedConfig } from "./config.ts";
import { settingNames } from "./config-schema.ts";
import { variablesOf } from "./config-sources.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));
const webFolder = path.join(home, "web");

type Environment = Readonly<Record<string, string | undefined>>;

export async function serveAndReload(
  loaded: LoadedConfig,
  environment: Environment,
  options: ServeOptions,
): Promise<void> {
  const vite = createRequire(path.join(webFolder, "package.json")).resolve("vite/package.json");
  const viteCommand = path.join(path.dirname(vite), "bin", "vite.js");
  const server = ["--watch", "--watch-preserve-output", path.join(home, "bin", "homework.js"), "serve"];
  const children = [
    spawn(process.execPath, [viteCommand, "build", "--watch", "--logLevel", "warn"], {
      cwd: webFolder,
      stdio: ["ignore", 2, 2],
    }),
    // The server itself says where it is.
    spawn(process.execPath, server, { stdio: "inherit", env: { ...environment, ...flagsAsVariables(loaded) } }),
  ];
  const stopAll = () => stop(children);
  options.signal.addEventListener("abort", stopAll, { once: true });
  await Promise.all(children.map((child) => once(child, "exit").then(stopAll)));
}

/** Flags were given to us; the server we start gets them as variables, the next strongest source. */
function flagsAsVariables({ config, origins }: LoadedConfig): Record<string, string> {
  const given = settingNames.filter((name) => origins[name].source === "flag");
  return Object.fromEntries(given.map((name) => [variablesOf(name)[0] ?? name, String(config[name])]));
}

function stop(children: readonly ChildProcess[]): void {
  for (const child of children) child.kill("SIGTERM");
}
