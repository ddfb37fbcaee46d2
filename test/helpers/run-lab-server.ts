// A real server with its worker whose models are the model lab: a script says what each role answers, run by run. For tests
// of pages and commands that watch and steer runs. Call it at the top of a file.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll } from "vitest";
import { type Run, routes } from "../../src/protocol/api.ts";
import type { Api } from "../../src/protocol/client.ts";
import type { RouteInput } from "../../src/protocol/route.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { canaryKey, labPrices } from "../lab/lab-models.ts";
import { patienceMs } from "./patience.ts";
import { readRequest, type SlowScript, toReply } from "./role-script.ts";
import { removeDataFolder, type Served, type ServedOptions, type Serving, startServer, stopServer } from "./served.ts";
import { startHosted, stopHosted } from "./server-hosts.ts";
import { copyUsedDataFolder } from "./used-data-folder.ts";

/** Where a server runs. */
export type Place<S extends Serving> = {
  readonly start: (data: string, options: ServedOptions) => Promise<S>;
  readonly stop: (server: S, data: string) => Promise<void>;
};

/** In the host of the browser tests. */
const hosted: Place<Serving> = { start: startHosted, stop: (_server, data) => stopHosted(data) };

/** For tests that kill it. */
export const ownProcess: Place<Served> = { start: startServer, stop: stopServer };

export type RunLabServer<S extends Serving = Serving> = {
  readonly lab: Lab;
  readonly data: string;
  /** Another one after `restart`. */
  readonly server: () => S;
  /**
   * What runs with this in their objective are answered. A phrase that prompts say nowhere else; "" is for all that nothing
   * else is for. Of several that match, the longest counts, and of those the last one.
   */
  readonly script: (inObjective: string, script: SlowScript) => void;
  /** Stops the server; the same folder and port when it is started again. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
};

const model = "openrouter/anthropic/claude-sonnet-5.5";

type Settings = Readonly<Record<string, string>>;

export const runLabServer = (settings: Settings = {}): Promise<RunLabServer> => runLabServerAt(hosted, settings);

export async function runLabServerAt<S extends Serving>(place: Place<S>, settings: Settings): Promise<RunLabServer<S>> {
  const scripts: { readonly inObjective: string; readonly script: SlowScript }[] = [];
  const lab = await startLab({
    prices: labPrices,
    script: async (request) => {
      const asked = readRequest(request);
      const said = `${request.system}\n${request.messages.map(({ text }) => text).join("\n")}`;
      const matching = scripts.filter(({ inObjective }) => said.includes(inObjective));
      const longest = Math.max(...matching.map(({ inObjective }) => inObjective.length));
      const found = matching.findLast(({ inObjective }) => inObjective.length === longest);
      if (found === undefined) return { status: 500, body: "lab: no script" };
      return toReply(await found.script(asked), asked);
    },
  });
  const data = copyUsedDataFolder();
  const all = {
    HOMEWORK_OPENROUTER_API_KEY: canaryKey,
    HOMEWORK_OPENROUTER_BASE_URL: lab.baseUrl("openrouter"),
    HOMEWORK_MODEL: model,
    ...settings,
  };
  let server = await place.start(data, { settings: all });
  const port = Number(new URL(server.url).port);
  afterAll(async () => {
    await place.stop(server, data);
    await lab.close();
    await removeDataFolder(data);
  });
  return {
    lab,
    data,
    server: () => server,
    script: (inObjective, script) => void scripts.push({ inObjective, script }),
    stop: () => place.stop(server, data),
    start: async () => {
      server = await place.start(data, { settings: all, port });
    },
  };
}

type NewRun = Partial<NonNullable<RouteInput<typeof routes.runs.create>["body"]>>;

/** Hands an objective over and answers the run's id. */
export async function startRun(api: Api, objective: string, more: NewRun = {}): Promise<string> {
  return (await api(routes.runs.create, { body: { objective, ...more } })).run_id;
}

export async function readRun(api: Api, runId: string): Promise<Run> {
  return (await api(routes.runs.get, { params: { runId }, query: {} })).run;
}

/** Each look costs the server a hundredth of a second, which the run needs itself. */
const lookMs = 100;

/** Until the run is like this; says how it was if it never is. */
export async function untilRun(api: Api, runId: string, isIt: (run: Run) => boolean): Promise<Run> {
  const endAt = performance.now() + patienceMs;
  for (;;) {
    const run = await readRun(api, runId);
    if (isIt(run)) return run;
    if (performance.now() > endAt)
      throw new Error(`the run stayed ${run.status}: ${JSON.stringify(run).slice(0, 2_000)}`);
    await sleep(lookMs);
  }
}

export const untilStatus = (api: Api, runId: string, ...statuses: readonly Run["status"][]): Promise<Run> =>
  untilRun(api, runId, ({ status }) => statuses.includes(status));

/** Something a script waits for until the test says go. */
export function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
