// `homework start`, `serve`, `worker` and `dev`: the commands that keep running until they are stopped.

import type { Command } from "commander";
import { buildMissingPages } from "../build-pages.ts";
import { type ServiceInvocation, serviceAction } from "../invocation.ts";
import { examples } from "../options.ts";
import type { Output } from "../output.ts";
import type { Host, Listening, ServeOptions } from "../ports.ts";

export function addServingCommands(program: Command, host: Host): void {
  const start = program
    .command("start")
    .description("build the web pages if that is needed, then serve")
    .summary("start Homework");
  withAddress(start, host, startServing);
  examples(start, ["start", "start --port 8080", "start --data ./try-out"]);

  const serve = program
    .command("serve")
    .description("serve the web pages, which are built first if there are none, and the HTTP API, and work on jobs")
    .summary("serve web pages and HTTP API");
  withAddress(serve, host, serveBuilt);
  examples(serve, [
    "serve",
    "serve --host 0.0.0.0 --public-url https://homework.example.com --set accounts=true --set log_format=json",
  ]);
  addWorker(program, host);

  const dev = program
    .command("dev")
    .description("serve from the sources and reload when they change (for working on Homework itself)")
    .summary("serve and reload on changes");
  withAddress(dev, host, ({ services, output }) => services.server.dev(serveOptions(host, output)));
  examples(dev, ["dev"]);
}

/** A command that takes the settings of an address as options. */
function withAddress(command: Command, host: Host, serve: (given: ServiceInvocation) => Promise<void>): void {
  type Options = { readonly host?: string; readonly port?: string; readonly publicUrl?: string };
  command
    .option("--host <address>", "address to listen on (host)")
    .option("--port <number>", "port to listen on (port)")
    .option("--public-url <origin>", "the origin people open (public_url)")
    .action(
      serviceAction<[Options]>(host, serve, (given) => ({
        host: given.host,
        port: given.port,
        public_url: given.publicUrl,
      })),
    );
}

function addWorker(program: Command, host: Host): void {
  type Options = { readonly concurrency?: string };
  const worker = program
    .command("worker")
    .description("work on jobs without serving pages; any number of these may share one PostgreSQL")
    .summary("work on jobs only")
    .option("--concurrency <count>", "jobs to work on at the same time (worker_concurrency)")
    .action(
      serviceAction<[Options]>(
        host,
        ({ services, output }) =>
          services.server.worker({
            signal: host.stop,
            onReady: (ready) => {
              output.say(`Ready, ${ready.concurrency} jobs at a time.`);
              if (output.isJson) output.data(ready, () => "");
            },
          }),
        ({ concurrency }) => ({ worker_concurrency: concurrency }),
      ),
    );
  examples(worker, ["worker", "worker --concurrency 16"]);
}

async function startServing({ host, services, output }: ServiceInvocation): Promise<void> {
  const why = await services.web.whyStale();
  if (why !== null) {
    output.say(`Building the web pages: ${why}.`);
    await services.web.build(host.stop);
  }
  await services.server.serve(serveOptions(host, output));
}

async function serveBuilt({ host, services, output }: ServiceInvocation): Promise<void> {
  await buildMissingPages(services.web, output, host.stop, "npx homework start");
  await services.server.serve(serveOptions(host, output));
}

function serveOptions(host: Host, output: Output): ServeOptions {
  return { signal: host.stop, onListening: (listening) => announce(output, listening) };
}

/** Said even with --quiet: it is what the command was called for. */
function announce(output: Output, listening: Listening): void {
  if (output.isJson) {
    output.data(listening, () => "");
    return;
  }
  output.warn(`Homework is at ${output.paint("bold", listening.url)}`);
  if (listening.login_link !== null) output.warn(`Sign in with this link, once: ${listening.login_link}`);
  if (listening.setup_link !== null) output.warn(`Create the admin account with this link: ${listening.setup_link}`);
  output.say(output.paint("dim", `Data in ${listening.data}. Stop with Ctrl-C.`));
}
