// A host for tests: a terminal that remembers, a clock that stands still, services that are given, and an API whose
// answers are given per route. Only tests import it.

import type { Files, Host, Services, SettingFlags, Terminal } from "../../src/cli/ports.ts";
import { runCli } from "../../src/cli/run.ts";
import type { Instant } from "../../src/lib/env.ts";
import { realEnv } from "../../src/main/env.ts";
import { type ApiOptions, createApi } from "../../src/protocol/client.ts";
import { createFollow } from "../../src/protocol/follow.ts";

export const testNow = 1_900_000_000_000 as Instant; // 2030-03-17T17:46:40Z

export type Ran = { readonly code: number; readonly out: string; readonly words: string };

export type TestHost = Partial<Omit<Host, "terminal" | "open" | "files">> & {
  readonly files?: Partial<Files>;
  readonly services?: Partial<Services>;
  readonly terminal?: Partial<Terminal>;
  readonly open?: (flags: SettingFlags) => Promise<Services>;
};

/** Runs one command line and returns what it wrote and the number it ended with. */
export async function runInTest(args: readonly string[], given: TestHost = {}): Promise<Ran> {
  const written = { out: "", words: "" };
  const { services, terminal, files, ...rest } = given;
  const missing = async (): Promise<never> => {
    throw new Error("bug: the test gave no such service");
  };
  let lastId = 0;
  const code = await runCli(args, {
    env: { now: () => testNow, newId: () => `id-${++lastId}`, sleep: untilAborted },
    version: "1.2.3",
    timeZone: "UTC",
    workingFolder: "/home",
    stop: new AbortController().signal,
    open: async () => services as Services,
    settings: { show: () => [], jsonSchema: () => ({}), path: () => "/config.json" },
    ...rest,
    files: { readText: missing, exists: async () => false, makeFolder: missing, writeNew: missing, ...files },
    terminal: {
      out: (text) => {
        written.out += text;
      },
      say: (text) => {
        written.words += text;
      },
      readInput: missing,
      askSecret: missing,
      ask: missing,
      columns: null,
      isInteractive: false,
      hasColor: false,
      canRedraw: false,
      ...terminal,
    },
  });
  return { code, ...written };
}

/** A sleep of which nobody wakes: time stands still. */
export function untilAborted(_ms: number, signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

type Request = {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
};
/** By method and path: `"GET /api/projects"`. A handler throws nothing; an error is `[status, envelope]`. */
export type Answers = Readonly<Record<string, (request: Request) => unknown>>;

/** The real client in front of the given answers; `requests` are the calls that were made. */
export function answering(answers: Answers): { readonly services: Partial<Services>; readonly requests: string[] } {
  const requests: string[] = [];
  const options: ApiOptions = {
    baseUrl: "http://server.test",
    fetch: async (address, init) => {
      const url = new URL(address);
      const name = `${init.method} ${url.pathname}`;
      requests.push(name + url.search);
      const answer = answers[name];
      if (!answer) return errorAnswer(404, "not_found", `There is no ${url.pathname}`);
      const result = answer({
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
        idempotencyKey: new Headers(init.headers).get("idempotency-key"),
      });
      return result instanceof Response ? result : Response.json(result);
    },
  };
  const api = createApi(options);
  return {
    services: {
      connect: async () => ({
        api,
        follow: createFollow(options, realEnv),
        url: "http://server.test",
        close: async () => {},
      }),
    },
    requests,
  };
}

export function errorAnswer(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message, details: {} } }, { status });
}

export function makeProject(change: Readonly<Record<string, unknown>> = {}) {
  return {
    id: "0198c2a4-0000-7000-8000-000000000001",
    name: "Kitchen",
    description: "",
    type_key: "project.default",
    state_key: "active",
    props: {},
    role: "owner",
    version: 3,
    created_at: "2030-03-01T00:00:00Z",
    updated_at: "2030-03-17T17:36:40Z",
    deleted_at: null,
    ...change,
  };
}

export function makeTask(change: Readonly<Record<string, unknown>> = {}) {
  return {
    id: "0198c2b7-0000-7000-8000-00000000000a",
    kind: "task",
    project_id: makeProject().id,
    title: "Measure the walls",
    description: "",
    content: "",
    type_key: "task.default",
    state_key: "todo",
    props: {},
    priority: null,
    due_at: null,
    parent_id: null,
    version: 7,
    created_by: null,
    created_by_run: null,
    updated_by_run: null,
    created_at: "2030-03-01T00:00:00Z",
    updated_at: "2030-03-17T17:36:40Z",
    deleted_at: null,
    ...change,
  };
}
