// The leak check itself is checked: a run over files that each leave something behind has to fail and name them.

import { execFile } from "node:child_process";
import { beforeAll, expect, inject, test } from "vitest";
import { vitestProgram } from "./helpers/vitest-run.ts";

type Report = {
  success: boolean;
  testResults: { name: string; status: string; message: string; assertionResults: { status: string }[] }[];
};

let run: { readonly code: unknown; readonly report: Report; readonly errors: string };

beforeAll(async () => {
  const env = { ...process.env, LEAK_DATABASE_URL: inject("testServer").adminUrl };
  const flags = ["run", "--config", "test/leak-fixtures/vitest.config.ts", "--root", process.cwd()];
  const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [vitestProgram, ...flags], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
  // A process that has not come to its own program yet still has the shell's.
  for (const pid of stderr.matchAll(/process (\d+): .*sleep/g)) process.kill(Number(pid[1]), "SIGKILL");
  if (!stdout.includes("{")) throw new Error(`the run over the fixtures did not start:\n${stderr}`);
  run = { code, report: JSON.parse(stdout.slice(stdout.indexOf("{"))), errors: stderr };
});

/** The tests of every fixture pass; only what is left behind may fail it. */
function check(fixture: string, left: RegExp | "nothing"): void {
  const found = run.report.testResults.find(({ name }) => name.endsWith(`/${fixture}.leak.ts`));
  expect(found?.assertionResults.map(({ status }) => status)).toEqual(["passed"]);
  if (left === "nothing") expect(found).toMatchObject({ status: "passed", message: "" });
  else {
    expect(found?.status).toBe("failed");
    expect(found?.message).toMatch(new RegExp(`${fixture}\\.leak\\.ts left something behind`));
    expect(found?.message).toMatch(left);
  }
}

test("a run in which something is left behind fails", () => expect(run.code).toBe(1));
test("a file that closes what it opened passes", () => check("nothing", "nothing"));
test("a timer is named with its line", () =>
  check("timer", /a timer, opened at test\/leak-fixtures\/timer\.leak\.ts:6/));
test("a pool is named with its line", () =>
  check("pool", /TCP connection.* opened at test\/leak-fixtures\/pool\.leak/));
test("a server is named", () => check("server", /a listening TCP server/));
test("a child process is named", () => check("child", /process \d+: sleep 20/));
test("a process without a parent is named", () => check("orphan", /process \d+: .*sleep 21/));
test("the end of the run names what still runs", () => {
  expect(run.errors).toMatch(/tests are over, but these still run:[\s\S]*child\.leak\.ts: process \d+: sleep 20/);
});
