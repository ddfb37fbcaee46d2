// `homework dev`: the server from its sources, started again when they change, and the pages, built again when they do.

import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { ServeOptions } from "../cli/ports.ts";
import type { LoadedConfig } from "./config.ts";
import { settingNames } from "./config-schema.ts";
import { variablesOf } from "./config-sources.ts";
import { home, startBuild } from "./ports-web.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export async function serveAndReload(
  loaded: LoadedConfig,
  environment: Environment,
  options: ServeOptions,
): Promise<void> {
  const server = ["--watch", "--watch-preserve-output", path.join(home, "bin", "homework.js"), "serve"];
  const children = [
    startBuild(["--watch"]),
    // The server itself says where it is.
    spawn(process.execPath, server, { stdio: "inherit", env: { ...environment, ...flagsAsVariables(loaded) } }),
  ];
  const stopAll = () => {
    for (const child of children) child.kill("SIGTERM");
  };
  options.signal.addEventListener("abort", stopAll, { once: true });
  await Promise.all(children.map((child) => once(child, "exit").then(stopAll)));
}

/** Flags were given to us; the server we start gets them as variables, the next strongest source. */
function flagsAsVariables({ config, origins }: LoadedConfig): Record<string, string> {
  const given = settingNames.filter((name) => origins[name].source === "flag");
  return Object.fromEntries(given.map((name) => [variablesOf(name)[0] ?? name, String(config[name])]));
}
