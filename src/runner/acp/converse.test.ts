import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { testLimitMs } from "../../../test/helpers/patience.ts";
import { makeFolder, removeFolders } from "../../../test/helpers/runner-root.ts";
import { realEnv } from "../../main/env.ts";
import type { Fields } from "../backends/read-event.ts";
import { type AcpLimits, acpLimits, converse } from "./converse.ts";
import { openWorkFiles } from "./work-files.ts";

afterEach(removeFolders);

const program = fileURLToPath(new URL("../../../test/agents/programs/acp-agent.ts", import.meta.url));

/** The last line that is told. */
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
