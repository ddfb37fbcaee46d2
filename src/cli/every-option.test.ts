// Every option of every command of `homework` changes something or is refused. The commands run on a server whose every answer is made
// from the contract; what they ask of it and of the world, and what they say, is compared with and without the option.

import { expect, test } from "vitest";
import { runInTest, testNow } from "../../test/helpers/cli-host.ts";
import { makeReport, makeWireRun } from "../../test/helpers/cli-runs.ts";
import { type CommandRow, casesOf, expectEffect, listStale, type Transcript } from "../../test/helpers/every-option.ts";
import { recordingServices } from "../../test/helpers/recording-services.ts";
import { sampleId, sampleOf } from "../../test/helpers/sample-of.ts";
import { routes } from "../protocol/api.ts";
import { createApi } from "../protocol/client.ts";
import type { Follow } from "../protocol/follow.ts";
import type { AnyRoute } from "../protocol/route.ts";
import { buildProgram } from "./program.ts";
import { hostForHelp } from "./reference.ts";

const id = sampleId;
const budgets = {
  "--max-iterations": "3",
  "--max-minutes": "4",
  "--max-cost": "1.5",
  "--max-tokens": "500",
  "--max-tool-calls": "6",
  "--hard": { beside: ["--max-cost", "2"] },
} as const;
const listed = { "--limit": "7", "--all": true } as const;
const content = {
  "--content": { value: "Text", beside: ["--description", "x"] },
  "--file": { value: "text.md", beside: ["--description", "x"] },
  "--description": { value: "One line", beside: ["--content", "x"] },
  "--state": { value: "done", beside: ["--content", "x"] },
} as const;
/** A text is replaced on the version that was read, or whatever it is. */
const replaced = {
  "--content": { value: "Text", beside: ["--description", "x", "--if-version", "1"] },
  "--file": { value: "text.md", beside: ["--description", "x", "--if-version", "1"] },
  "--description": { value: "One line", beside: ["--title", "x"] },
  "--state": { value: "done", beside: ["--title", "x"] },
  "--overwrite": { beside: ["--content", "x"], isNeeded: true },
} as const;
const address = { "--host": "127.0.0.2", "--port": "4190", "--public-url": "https://homework.test" } as const;
const project = { "--project": id } as const;
const model = { "--model": "openai/gpt-6-luna" } as const;
const out = { "--out": "kitchen" } as const;
const stdin = ["--password-stdin"] as const;
const foreign = { "--foreign": "mail.txt" } as const;

/** Without a row, an option is tried without a value. */
const rows: Readonly<Record<string, CommandRow>> = {
  run: {
    args: ["Plan"],
    options: {
      ...budgets,
      ...project,
      ...model,
      ...foreign,
      ...out,
      "--file": { value: "objective.md", args: [] },
      "--write-mode": "per_write",
      "--engine": "agent",
      "--folder": { value: "shop", beside: ["--engine", "agent"] },
      "--no-folder": { beside: ["--engine", "agent"] },
      "--check": { value: "npm test", beside: ["--engine", "agent"] },
      "--no-judge": true,
      "--detach": true,
    },
  },
  watch: { options: out },
  result: { options: out },
  list: { options: { ...listed, "--status": "stopped" } },
  report: { options: { "--md": true } },
  events: { options: { "--follow": true, "--since": "4" } },
  answer: { args: ["Yes"], options: { "--question": { value: "q1=No", args: [id] } } },
  steer: { args: ["Mind the floor"] },
  resume: { options: budgets },
  fork: { options: { ...budgets, ...model, "--iteration": "1", "--objective": "Otherwise" } },
  "follow-up": {
    args: ["In French"],
    options: {
      ...budgets,
      ...model,
      ...foreign,
      ...out,
      "--file": { value: "next.md", args: [] },
      "--write-mode": "per_write",
      "--detach": true,
    },
  },
  changes: { options: { ...listed, "--state": "pending", "--full": true } },
  approve: { args: ["1"], options: { "--all": { args: [] }, "--note": "Well done" } },
  reject: { args: ["1"], options: { "--all": { args: [] }, "--note": "Not in red" } },
  undo: {
    options: {
      "--yes": true,
      "--skip": { value: `document:${id}`, beside: ["--yes"] },
      "--force": { value: `document:${id}`, beside: ["--yes"] },
      "--skip-conflicts": { beside: ["--yes"] },
    },
  },
  discard: { options: { "--yes": true } },
  "outcome start": {
    args: ["Sell lamps"],
    options: {
      ...project,
      ...model,
      "--file": { value: "brief.md", args: [] },
      "--name": "Lamps",
      "--engine": "agent",
      "--workers": "2",
      "--max-cost": "3",
      "--draft": true,
      "--detach": true,
    },
  },
  "outcome list": { options: { ...listed, "--status": "achieved" } },
  "outcome tasks": { options: { "--status": "failed" } },
  "outcome add-task": {
    args: ["Check links"],
    options: { "--description": "All of them", "--priority": "2", "--after": "1" },
  },
  "outcome tell": { args: ["Hurry"], options: { "--task": "1" } },
  "outcome delete": { args: [id], options: { "--yes": { isNeeded: true } } },
  "outcome log": { options: { ...listed, "--type": "steering", "--task": "1" } },
  "escalation list": { options: { ...listed, "--closed": true, "--status": "answered" } },
  "escalation answer": { args: ["1"], options: { "--context": "Until June" } },
  "escalation dismiss": { options: { "--why": "Either is fine" } },
  start: { options: address },
  serve: { options: address },
  dev: { options: address },
  worker: { options: { "--concurrency": "2" } },
  doctor: { options: { "--runs": true } },
  "model test": { args: ["planner"] },
  "db dump": { args: ["dump.jsonl"], options: { "--overwrite": true } },
  "db restore": { args: ["dump.jsonl"], options: { "--overwrite": true } },
  "user create": {
    args: ["new@homework.test"],
    options: {
      "--password-stdin": { isNeeded: true },
      "--name": { value: "Nora", beside: stdin },
      "--role": { value: "admin", beside: stdin },
    },
  },
  "user login-link": { args: ["anna@homework.test"] },
  "user disable": { args: ["anna@homework.test"] },
  "user enable": { args: ["anna@homework.test"] },
  "user set-password": { args: ["anna@homework.test"], options: { "--password-stdin": { isNeeded: true } } },
  "project list": { options: { ...listed, "--state": "active", "--deleted": true } },
  "project show": { args: [id] },
  "project watch": { args: [id], options: { "--since": "4" } },
  "project create": { args: ["Garden"], options: { "--description": "Beds", "--state": "active" } },
  "project update": {
    args: [id],
    options: {
      "--description": { value: "Beds", beside: ["--name", "x"] },
      "--state": { value: "active", beside: ["--name", "x"] },
      "--name": { value: "Garden", beside: ["--description", "x"] },
      "--if-version": { value: "9", beside: ["--name", "x"] },
    },
  },
  "project delete": { args: [id] },
  "project restore": { args: [id] },
  "task list": { options: { ...listed, ...project, "--state": "done", "--sort": "due", "--deleted": true } },
  "task show": { options: project },
  "task create": { args: ["Dig"], options: { ...content, ...project, "--priority": "2", "--due": "2030-04-01" } },
  "task update": {
    args: [id],
    options: {
      ...replaced,
      "--project": { value: id, beside: ["--title", "x"] },
      "--priority": { value: "2", beside: ["--title", "x"] },
      "--due": { value: "2030-04-01", beside: ["--title", "x"] },
      "--if-version": { value: "9", beside: ["--title", "x"] },
      "--title": { value: "Dig", beside: ["--description", "x"] },
    },
  },
  "task done": { args: [id], options: { ...project, "--if-version": "9" } },
  "task delete": { args: [id], options: project },
  "task restore": { options: project },
  "doc list": { options: { ...listed, ...project, "--state": "published", "--deleted": true } },
  "doc tree": { options: { ...project, "--all": true } },
  "doc show": { options: project },
  "doc create": {
    args: ["Plan"],
    options: { ...content, "--state": "published", ...project, "--parent": id, "--foreign": true },
  },
  "doc update": {
    args: [id],
    options: {
      ...replaced,
      "--state": { value: "published", beside: ["--title", "x"] },
      "--project": { value: id, beside: ["--title", "x"] },
      "--if-version": { value: "9", beside: ["--title", "x"] },
      "--title": { value: "Plan", beside: ["--description", "x"] },
    },
  },
  "doc move": {
    args: [id],
    options: {
      "--project": { value: id, beside: ["--top"] },
      "--parent": { value: id, base: [id, "--top"] },
      "--top": { base: [id, "--parent", id] },
    },
  },
  "doc delete": { args: [id], options: project },
  "doc restore": { options: project },
  search: { args: ["walls"], options: { ...listed, ...project, "--kind": "task" } },
  chat: {
    args: ["Why?"],
    options: {
      ...foreign,
      "--session": id,
      "--run": id,
      "--approve": { base: ["--session", id], args: ["--session", id] },
      "--reject": { base: ["--session", id], args: ["--session", id] },
    },
  },
  "key create": { args: ["script"], options: { "--scope": "run", "--expires": "9" } },
  "key revoke": { args: [id] },
  "channel add-webhook": { args: ["desk", "https://hook.test/x"], options: { "--events": "completed" } },
  "channel test": { args: [id] },
  "channel remove": { args: [id] },
};

const program = () => buildProgram(hostForHelp);

/** Each of these is a route of the contract, by its method and the pattern of its path. */
const allRoutes = Object.values(routes)
  .flatMap((family) => Object.values(family) as readonly AnyRoute[])
  .map((route) => ({ route, pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));

const endedRun = { ...makeWireRun({ id, status: "completed", report: makeReport() }), started_at: null };

const asked = { id: "q1", kind: "question" as const, text: "Which tiles?", options: [] };

function answer(method: string, pathname: string, isAsked: boolean): unknown {
  const found = allRoutes.find(({ route, pattern }) => route.method === method.toLowerCase() && pattern.test(pathname));
  if (found === undefined) throw new Error(`no route ${method} ${pathname}`);
  const sample = sampleOf(found.route.result);
  if (found.route === routes.runs.get && isAsked)
    return { ...(sample as object), run: makeWireRun({ id, status: "waiting_on_user", questions: [asked] }) };
  if (found.route === routes.runs.get) return { ...(sample as object), run: endedRun };
  return sample;
}

/** Far more than any command asks. */
const callsMax = 200;

async function play(args: readonly string[]): Promise<Transcript> {
  const happened: unknown[] = [];
  const options = {
    baseUrl: "http://server.test",
    fetch: async (address: string, init: RequestInit) => {
      const url = new URL(address);
      if (happened.length > callsMax) throw new Error("it asks without end");
      happened.push([init.method, url.pathname + url.search, init.body ?? null]);
      return Response.json(answer(init.method ?? "GET", url.pathname, args[0] === "answer"));
    },
  };
  /** Nothing comes by a stream: who follows one is told so, and ends. */
  const follow = (route: AnyRoute, input: unknown, { after }: { readonly after?: unknown } = {}) => {
    happened.push(["follow", route.path, input, after]);
    throw new Error("the stream ends here");
  };
  const connect = async () => ({
    api: createApi(options),
    follow: follow as unknown as Follow,
    url: options.baseUrl,
    close: async () => {},
  });
  let lastId = 0;
  const ran = await runInTest(args, {
    env: {
      now: () => testNow,
      newId: () => `id-${++lastId}`,
      sleep: () => Promise.reject(new Error("nothing is waited for")),
    },
    open: async (flags) => {
      happened.push(["settings", flags]);
      return recordingServices(happened, connect);
    },
    files: {
      readText: async (file) => `text of ${file}`,
      exists: async (file) => file === "/home/.git",
      makeFolder: async (folder) => void happened.push(["folder", folder]),
      writeNew: async (file) => happened.push(["file", file]) > 0,
    },
    terminal: { readInput: async () => "a password that is long", askSecret: async () => "a password that is typed" },
  });
  return { code: ran.code, happened: [...happened, ran.out, ran.words] };
}

test.each(casesOf(program(), rows))("%s changes something", (_, tried) => expectEffect(tried, play));

test("no row is of a command or an option that is gone", () => expect(listStale(program(), rows)).toEqual([]));

test.each<readonly string[]>([
  ["run", "Plan", "--out", "kitchen", "--detach"],
  ["run", "Plan", "--folder", "shop"],
  ["run", "Plan", "--no-folder"],
  ["run", "Plan", "--hard"],
  ["follow-up", "In French", "--out", "kitchen", "--detach"],
  ["list", "--all", "--limit", "3"],
  ["task", "update", id, "--title", "Dig", "--overwrite"],
  ["escalation", "list", "--closed", "--status", "answered"],
  ["report", "--md", "--json"],
  ["chat", "--session", id, "--approve", "--foreign", "mail.txt"],
  ["chat", "--session", id, "--reject", "--approve"],
])(
  "%s %s %s: options of which one would do nothing are refused, and nothing is asked of the server",
  async (...args) => {
    const { code, happened } = await play(args);
    expect([code, happened.filter((each) => Array.isArray(each) && each[0] === "POST")]).toEqual([2, []]);
  },
);
