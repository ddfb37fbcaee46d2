import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeRun } from "../../../test/helpers/make-run.ts";
import { makeFolder, removeFolders } from "../../../test/helpers/runner-root.ts";
import type { CheckTarget } from "../../domain/run/checks.ts";
import { realEnv } from "../../main/env.ts";
import type { Journal } from "../../runs/ports/engine.ts";
import { doneCheck, proveWork } from "./check-work.ts";

afterEach(removeFolders);

const journal = {
  signal: new AbortController().signal,
  effect: async (_entry: unknown, _again: boolean, act: (key: string) => Promise<unknown>) => ({
    kind: "done",
    result: await act("key"),
  }),
} as unknown as Journal<never>;

async function prove(target: CheckTarget, over: { readonly folder?: string; readonly timeoutMs?: number } = {}) {
  const folder = over.folder ?? makeFolder();
  const run = makeRun({ checks: [{ id: "c", deliverableId: null, givenBy: "user", target }] });
  const proven = await proveWork(
    run,
    { env: realEnv, folder, variables: { PATH: process.env.PATH ?? "" }, isDone: () => false, ...over },
    journal,
  );
  const [proof] = proven.kind === "proven" ? proven.proofs : [];
  return { isGreen: proof?.isGreen, seen: proof?.seen };
}

const program = (file: string, ...args: readonly string[]): CheckTarget => ({
  kind: "command_succeeds",
  program: file,
  args,
});

test("a program that succeeds in the work folder", async () => {
  const folder = makeFolder();
  writeFileSync(path.join(folder, "here"), "");
  expect(await prove(program("test", "-e", "here"), { folder })).toEqual({
    isGreen: true,
    seen: "test -e here succeeded.",
  });
});
test("one that fails shows the end of what it printed", async () => {
  const { isGreen, seen = "" } = await prove(program("sh", "-c", "seq 1 100000; echo last words; exit 3"));
  expect(isGreen).toBe(false);
  expect(seen).toContain("ended with exit code 3.\n");
  expect(seen).toMatch(/last words$/);
  expect(seen.length).toBeLessThan(4_200);
});
test("no shell reads its arguments", async () => {
  const folder = makeFolder();
  expect(await prove(program("test", "-e", "x; touch y"), { folder })).toMatchObject({ isGreen: false });
  expect(await prove({ kind: "file_exists", path: "y" }, { folder })).toMatchObject({ isGreen: false });
});
test("one that takes too long is ended with all it has started", async () => {
  expect(await prove(program("sh", "-c", "sleep 60 & sleep 60"), { timeoutMs: 200 })).toEqual({
    isGreen: false,
    seen: "sh -c sleep 60 & sleep 60 took longer than 0.2 s.",
  });
});
test("one that is not there", async () => {
  expect((await prove(program("no-such-program"))).seen).toContain("an error: spawn no-such-program ENOENT");
});
test("a file outside of the work folder does not count, not even over a link", async () => {
  const folder = makeFolder();
  const inside = path.join(folder, "work");
  mkdirSync(inside);
  writeFileSync(path.join(folder, "out"), "x");
  symlinkSync(path.join(folder, "out"), path.join(inside, "link"));
  for (const name of ["../out", "link"])
    expect((await prove({ kind: "file_exists", path: name }, { folder: inside })).seen).toContain("lies outside");
});
test("DONE is looked for in the task, not in the work folder", async () => {
  const folder = makeFolder();
  writeFileSync(path.join(folder, "DONE"), "");
  const given = { env: realEnv, folder, variables: {}, isDone: () => false };
  const proven = await proveWork(makeRun({ checks: [doneCheck] }), given, journal);
  expect(proven).toMatchObject({ proofs: [{ isGreen: false }] });
});
