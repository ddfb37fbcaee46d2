// A process in which the servers of browser tests run one after the other, at one address: what is loaded and compiled for one is there
// for the next, in the server as in the browser. Tests that stop, kill or upgrade a server start a process of its own (served.ts).

import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Host } from "../../src/cli/ports.ts";
import { runCli } from "../../src/cli/run.ts";
import { realEnv } from "../../src/main/env.ts";
import { files } from "../../src/main/ports-files.ts";
import { openServices } from "../../src/main/ports-services.ts";
import { openRealSettings, settingsPort } from "../../src/main/ports-settings.ts";
import { openTerminal } from "../../src/main/ports-terminal.ts";
import { readVersion } from "../../src/main/version.ts";

type Environment = Readonly<Record<string, string>>;

type Running = {
  readonly stop: AbortController;
  readonly ended: Promise<number>;
  /** The first that it said, login link included. */
  readonly words: Promise<string>;
};

const running = new Map<string, Running>();
const version = readVersion();
/** Of the first server. */
let homePort = 0;

const control = http.createServer((request, response) => {
  answer(request).then(
    (words) => response.end(words),
    (error) => response.writeHead(500).end(String(error?.stack ?? error)),
  );
});
control.listen(0, "127.0.0.1", () => process.send?.((control.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());

/** `POST /start` with an environment answers what the server said, `POST /stop?data=…` that it has ended. */
async function answer(request: http.IncomingMessage): Promise<string> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://host");
  if (pathname === "/start") return start((await json(request)) as Environment);
  await stop(searchParams.get("data") ?? "");
  return "";
}

async function start(given: Environment): Promise<string> {
  const data = given.HOMEWORK_DATA ?? "";
  // As if the process had begun with it; nothing of the server before is left, but for the port.
  for (const name of Object.keys(process.env)) if (!(name in given)) delete process.env[name];
  const port = given.HOMEWORK_PORT === "0" && running.size === 0 ? homePort : Number(given.HOMEWORK_PORT);
  Object.assign(process.env, given, { HOMEWORK_PORT: String(port) });
  const server = serve({ ...process.env });
  running.set(data, server);
  const words = await Promise.race([server.words, server.ended.then((code) => `it ended with ${code}`)]);
  const [, found] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(words) ?? [];
  if (found === undefined) throw new Error(`the server did not start: ${words}`);
  if (homePort === 0) homePort = Number(found);
  return words;
}

function serve(environment: NodeJS.ProcessEnv): Running {
  const stop = new AbortController();
  const said = new EventTarget();
  let words = "";
  const hear = (text: string) => {
    words += text;
    if (/http:\S+/.test(words)) said.dispatchEvent(new Event("address"));
  };
  const host: Host = {
    env: realEnv,
    terminal: { ...openTerminal(environment), out: hear, say: hear },
    files,
    version,
    workingFolder: process.cwd(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    stop: stop.signal,
    open: async (flags, say) =>
      openServices({ settings: openRealSettings(flags, environment), environment, version, say }),
    settings: settingsPort(environment),
  };
  return {
    stop,
    // The lines after the address come in the same moment.
    words: once(said, "address").then(() => new Promise((resolve) => setImmediate(() => resolve(words)))),
    ended: runCli(["serve"], host).then((code) => {
      if (code !== 0) process.stderr.write(words);
      return code;
    }),
  };
}

async function stop(data: string): Promise<void> {
  const server = running.get(data);
  server?.stop.abort();
  await server?.ended;
  running.delete(data);
}
