// `run-agent serve`: says where the pages are, and serves them until Ctrl-C.

import { buildMissingPages } from "../../build-pages.ts";
import { requirePerson } from "../agent-options.ts";
import type { AgentInvocation } from "../invocation.ts";
import { configFileOf, loadSettings, openRootFor } from "../place.ts";

export type ServeOptions = {
  readonly host?: string;
  readonly port?: number;
  readonly token?: true;
  readonly allowHost?: readonly string[];
};

export async function servePages(given: AgentInvocation, options: ServeOptions): Promise<void> {
  const { host, output, flags } = given;
  const { config } = loadSettings(given);
  const root = openRootFor(given);
  requirePerson(given, root, "Pages, on which people speak to agents, are served");
  await buildMissingPages(await host.openPages(), output, host.stop, "npm run build");
  await host.serve({
    root,
    host: options.host ?? config.serve.host,
    port: options.port ?? config.serve.port,
    needsToken: options.token === true,
    allowedHosts: options.allowHost ?? [],
    agentNames: config.agents.map(({ name }) => name),
    configFile: flags.config === null ? null : configFileOf(given),
    signal: host.stop,
    onListening: (listening) => {
      if (output.isJson) {
        output.data(listening, () => "");
        return;
      }
      output.warn(`run-agent is at ${output.paint("bold", listening.url)}`);
      output.say(output.paint("dim", `Projects in ${listening.root}. Stop with Ctrl-C; tasks go on.`));
    },
  });
}
