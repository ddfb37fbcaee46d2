// `run-agent serve`: the pages of the root folder.

import type { Command } from "commander";
import { examples, wholeNumber } from "../../options.ts";
import type { ServeOptions } from "../actions/serve.ts";
import { agentAction } from "../invocation.ts";
import { idsOption } from "../options.ts";
import type { AgentHost } from "../ports.ts";

export function addServeCommand(program: Command, host: AgentHost): void {
  const serve = program
    .command("serve")
    .description("serve web pages and an HTTP API for the projects of the root; tasks go on without it")
    .summary("serve web pages for tasks and runs")
    .option("--host <address>", "address to listen on (serve.host)")
    .option("--port <number>", "port to listen on; 0 is any free one (serve.port)", wholeNumber(0, 65_535))
    .option("--token", "ask for a token on this machine as well; it is always asked for elsewhere")
    .option("--allow-host <names>", "more names the server may be called by, separated by commas", idsOption)
    .action(agentAction<[ServeOptions]>(host, async () => (await import("../actions/serve.ts")).servePages));
  examples(serve, ["serve", "serve --port 8080", "serve --host 0.0.0.0 --allow-host agents.lan"]);
}
