import { describe, expect, test } from "vitest";
import { runInTest } from "../../test/helpers/cli-host.ts";
import { AppError, type ErrorCode } from "../lib/app-error.ts";
import { ApiError } from "../protocol/api-error.ts";

describe("wrong usage ends with 2, says what was meant and whose help to read", () => {
  const check = async (args: readonly string[], ...words: readonly string[]) => {
    const ran = await runInTest(args);
    expect(ran.code).toBe(2);
    expect(ran.out).toBe("");
    for (const each of words) expect(ran.words).toContain(each);
  };

  test("an unknown command", () => check(["tsk"], "Unknown command 'tsk'. Did you mean task?", "homework --help"));
  test("an unknown verb", () => check(["task", "lst"], "Did you mean list?", "Help: homework task --help"));
  test("an unknown option", () =>
    check(["task", "list", "--projct", "x"], "Unknown option '--projct'. Did you mean --project?"));
  test("a missing argument", () => check(["project", "show"], "Missing required argument 'project'"));
  test("an argument too many", () => check(["doctor", "now"], "Too many arguments", "in quotes"));
  test("a state that does not exist", () => check(["task", "list", "--state", "finished"], "Allowed choices are todo"));
  test("a number out of range", () =>
    check(["task", "create", "x", "--priority", "9"], "Give a whole number from 1 to 5"));
  test("a setting without a value", () => check(["config", "--set", "port"], "Give it as name=value"));
  test("a family without a verb shows its help", () => check(["task"], "Usage: homework task", "mark a task as done"));
});

test("help goes to stdout, lists every exit code and ends with 0", async () => {
  const ran = await runInTest(["--help"]);
  expect(ran.code).toBe(0);
  expect(ran.words).toBe("");
  for (const number of [0, 1, 2, 3, 4, 5, 6, 20, 21, 22, 23, 130])
    expect(ran.out).toMatch(new RegExp(`^ {2}${number} +\\S`, "m"));
});

test("the version is printed alone", async () => {
  expect(await runInTest(["--version"])).toEqual({ code: 0, out: "1.2.3\n", words: "" });
});

describe("a failure ends with the number of its kind", () => {
  const check = async (thrown: Error, code: number) => {
    const ran = await runInTest(["db", "status"], { services: failing(thrown) });
    expect(ran.code).toBe(code);
    expect(ran.out).toBe("");
  };
  const cases: readonly (readonly [ErrorCode, number])[] = [
    ["internal", 1],
    ["rate_limited", 1],
    ["invalid_request", 2],
    ["config_invalid", 2],
    ["not_found", 3],
    ["not_signed_in", 4],
    ["scope_missing", 4],
    ["stale_version", 5],
    ["already_exists", 5],
    ["database_unavailable", 6],
  ];
  test.each(cases)("%s: %i", (code, number) => check(new AppError(code, "No."), number));
  test("of a database that is away, what it said", async () => {
    const away = new AppError("database_unavailable", "It is away", { cause: new Error("timeout expired") });
    expect((await runInTest(["db", "status"], { services: failing(away) })).words).toBe(
      "It is away (timeout expired)\n",
    );
  });
  test("a request that cannot be carried out names the help of its command", async () => {
    const ran = await runInTest(["db", "status"], { services: failing(new AppError("invalid_request", "No.")) });
    expect(ran.words).toBe("No.\nHelp: homework db status --help\n");
  });
  test("the same from the API", () => check(new ApiError(404, "not_found", "No."), 3));
  test("a server that does not answer", () => check(new ApiError(0, "unreachable", "No."), 6));
  test("a server that is not Homework", () => check(new ApiError(200, "unexpected_answer", "No."), 6));
  test("a bug", () => check(new Error("bug: oops"), 1));
});

test("a bug is shown with its stack, so that it can be reported", async () => {
  const ran = await runInTest(["db", "status"], { services: failing(new Error("bug: oops")) });
  expect(ran.words).toMatch(/^Something went wrong on our side: Error: bug: oops\n +at /);
});

describe("interrupted", () => {
  const stopped = AbortSignal.abort();

  test("what is given up because of it ends with 130", async () => {
    const ran = await runInTest(["db", "status"], { stop: stopped, services: failing(stopped.reason) });
    expect(ran).toEqual({ code: 130, out: "", words: "Interrupted.\n" });
  });

  test("a failure on the way out stays a failure", async () => {
    const thrown = new AppError("database_unavailable", "The database went away");
    const ran = await runInTest(["db", "status"], { stop: stopped, services: failing(thrown) });
    expect(ran).toEqual({ code: 6, out: "", words: "The database went away\n" });
  });

  test("a server that stopped in good order ends with 0", async () => {
    const server = { serve: async () => {}, worker: async () => {}, dev: async () => {} };
    const web = { isBuilt: () => true, canBuild: () => true, whyStale: async () => null, build: async () => {} };
    expect((await runInTest(["serve"], { stop: stopped, services: { server, web } })).code).toBe(0);
  });
});

describe("with --json an error is one JSON value on stderr", () => {
  test("of the program", async () => {
    const thrown = new AppError("already_exists", "There is one", { details: { file: "x" } });
    const ran = await runInTest(["db", "status", "--json"], { services: failing(thrown) });
    expect(ran.out).toBe("");
    expect(JSON.parse(ran.words)).toEqual({
      error: { code: "already_exists", message: "There is one", details: { file: "x" } },
    });
  });

  test("of usage", async () => {
    const ran = await runInTest(["--json", "tsk"]);
    expect(JSON.parse(ran.words)).toMatchObject({ error: { code: "usage" } });
  });
});

test("an error cannot steer the terminal", async () => {
  const ran = await runInTest(["db", "status"], { services: failing(new AppError("not_found", "No \u001b[2J such")) });
  expect(ran.words).not.toContain("\u001b");
});

function failing(thrown: unknown) {
  const status = async () => {
    throw thrown;
  };
  return { database: { status } } as never;
}
