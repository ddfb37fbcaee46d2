import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { testLimitMs } from "../../../test/helpers/patience.ts";
import { makeFolder, removeFolders } from "../../../test/helpers/runner-root.ts";
import { realEnv } from "../../main/env.ts";
import { acp } from "../backends/acp.ts";
import type { Fields } from "../backends/read-event.ts";
import type { AcpLimits } from "./acp-ports.ts";
import { acpLimits, converse } from "./converse.ts";
import { openWorkFiles } from "./work-files.ts";

afterEach(removeFolders);

const program = fileURLToPath(new URL("../../../test/agents/programs/acp-agent.ts", import.meta.url));

async function talkTo(command: readonly string[], limits: Partial<AcpLimits> = {}) {
  const folder = makeFolder();
  const child = spawn(process.execPath, command, { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const exit = once(child, "exit").then(([code]) => `exit code ${code}`);
  const lines: Fields[] = [];
  const isGood = await converse(
    { prompt: "Go.", workFolder: folder, session: null, model: null, mode: null, permissions: "allow" },
    {
      output: child.stdout,
      input: child.stdin,
      exit,
      noise: () => {},
      tell: (line) => lines.push(line),
      ask: null,
      takeMessages: () => [],
      files: openWorkFiles([folder]),
      asked: new AbortController().signal,
      sleep: realEnv.sleep,
      limits: { ...acpLimits, cancelMs: 2_000, ...limits },
    },
  );
  child.kill("SIGKILL");
  await exit;
  return { isGood, end: lines.at(-1), lines };
}

test("an agent that never answers is given up", { timeout: testLimitMs }, async () => {
  const { isGood, end } = await talkTo([program, "silent"], { startMs: 500 });
  expect([isGood, end?.why]).toEqual([false, expect.stringContaining("did not answer initialize within 0.5 s")]);
});

test("a program that speaks something else is given up", { timeout: testLimitMs }, async () => {
  const { end } = await talkTo(
    ["-e", "process.stdin.resume(); setInterval(() => console.log('HTTP/1.1 400 Bad Request'), 5)"],
    { startMs: 1_000 },
  );
  expect(end?.why).toContain("did not answer initialize");
});

test("a program that ends at once tells how", { timeout: testLimitMs }, async () => {
  expect((await talkTo(["-e", "process.exit(4)"])).end?.why).toBe(
    "The agent ended in the middle of its work: exit code 4.",
  );
});

test("an agent that asks for permission for ever is ended", { timeout: testLimitMs }, async () => {
  const { isGood, end, lines } = await talkTo([program, "permission-for-ever"], { permissionsMax: 50 });
  expect([isGood, end?.why]).toEqual([false, "The agent asked for permission more than 50 times."]);
  expect(lines.filter(({ type }) => type === "permission")).toHaveLength(50);
});

type End = readonly [args: readonly string[], kind: string, why: RegExp];
const fail = (error: object) => ["fail", JSON.stringify(error)];
const ends: readonly End[] = [
  [["stop", "refusal"], "failed", /refused to go on/],
  [["stop", "max_tokens"], "failed", /limit of tokens/],
  [["stop", "max_turn_requests"], "failed", /limit of requests/],
  [["stop", "cancelled"], "failed", /canceled/],
  [["login"], "refused", /Authentication required.*A key/],
  [fail({ code: 429, message: "Too many requests" }), "transient", /Too many requests/],
  [
    fail({ code: -32603, message: "Internal error", data: { details: "API Error: 401 invalid x-api-key" } }),
    "refused",
    /invalid x-api-key/,
  ],
  [
    fail({ code: -32603, message: "Internal error", data: { error: { message: "fetch failed" } } }),
    "transient",
    /fetch failed/,
  ],
  [fail({ code: -32603, message: "Internal error" }), "failed", /Internal error/],
  [["say", "unexpected status 429 Too Many Requests, try again in 2 hours"], "transient", /429/],
  [["say", "API Error: 401 invalid x-api-key"], "refused", /401/],
  [["say", "You've hit your usage limit. Try again in 3 hours."], "transient", /usage limit/],
  [
    ["say", "I explained how the rate limit works: 429 means too many requests for a minute, as you asked."],
    "ok",
    /^$/,
  ],
  [["version", "7"], "failed", /version 7/],
  [["noise"], "ok", /^$/],
  [["crash"], "failed", /exit code 3/],
  [["close-output"], "failed", /closed its output/],
];
test.each(ends)("%j is %s", { timeout: testLimitMs }, async (args, kind, why) => {
  const { isGood, lines } = await talkTo([program, ...args]);
  const reader = acp.reader();
  for (const line of lines) reader.line(JSON.stringify(line));
  const end = { exitCode: isGood ? 0 : 1, signal: null, wasTimedOut: false, stderr: "", timeZone: "UTC" };
  const verdict = acp.judge({ ...end, heard: reader.heard() }, realEnv.now());
  expect(verdict.kind).toBe(kind);
  expect(verdict.kind === "ok" ? "" : verdict.why).toMatch(why);
});
