// The HTTP application of `run-agent serve` inside of a test, on a root of its own.

import { silentLogger } from "../../src/lib/logger.ts";
import { realEnv } from "../../src/main/env.ts";
import { findTask, type RunnerRoot } from "../../src/runner/layout/runner-root.ts";
import { createAgentsApp } from "../../src/server/agents/agents-app.ts";
import { makeDesk } from "./agent-desks.ts";
import { makeRoot } from "./runner-root.ts";

const origin = "http://127.0.0.1:14355";

export function openAgentsApp(
  root: RunnerRoot = makeRoot(),
  token: string | null = null,
  over: Parameters<typeof makeDesk>[1] = {},
) {
  const made = makeDesk(root, over);
  const app = createAgentsApp({
    desk: made.desk,
    env: realEnv,
    logger: silentLogger,
    allowedHosts: ["127.0.0.1", "localhost"],
    origin,
    token,
    webDir: null,
  });
  const send = async (method: string, url: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.fetch(
      new Request(`${origin}${url}`, {
        method,
        headers: {
          host: "127.0.0.1:14355",
          ...(method === "GET" ? {} : { "content-type": "application/json", origin }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const call = async (...request: Parameters<typeof send>) => {
    const response = await send(...request);
    // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it is what it checks
    return { status: response.status, body: (await response.json()) as any };
  };
  return { ...made, app, send, call, get: (url: string) => call("GET", url) };
}

export const at = (ids: { project: string; task: string }) => `/api/agents/projects/${ids.project}/tasks/${ids.task}`;
export const taskAt = (root: RunnerRoot, ids: { project: string; task: string }) => {
  const task = findTask(root, ids.project, ids.task);
  if (task === null) throw new Error("no such task");
  return task;
};
