import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { checksOf, makeDeps, until } from "../../../test/agents/job-world.ts";
import { makeRun } from "../../../test/helpers/make-run.ts";
import { makeFolder, makeRoot, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { doneCheck } from "../../domain/agent/done-check.ts";
import type { CheckTarget } from "../../domain/run/checks/check.ts";
import type { Journal } from "../../runs/ports/engine.ts";
import { endChecks } from "./check-processes.ts";
import { proveWork } from "./check-work.ts";

afterEach(removeFolders);

const makeJournal = (signal = new AbortController().signal): Journal<never> =>
  ({
    signal,
    effect: async (_entry: unknown, _again: boolean, act: (key: string) => Promise<unknown>) => ({
      kind: "done",
      result: await act("key"),
    }),
  }) as unknown as Journal<never>;

function makePlace() {
  const root = makeRoot();
  return { jobs: makeDeps(root), task: makeTask(root) };
}

type Over = Partial<ReturnType<typeof makePlace>> & {
  readonly folder?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

async function prove(target: CheckTarget, { signal, ...over }: Over = {}) {
  const given = { ...makePlace(), folder: makeFolder(), variables: { PATH: process.env.PATH ?? "" }, ...over };
  const run = makeRun({ checks: [{ id: "c", deliverableId: null, givenBy: "user", target }] });
  const proven = await proveWork(run, { ...given, isDone: () => false }, makeJournal(signal));
  const [proof] = proven.kind === "proven" ? proven.proofs : [];
  return { kind: proven.kind, isGreen: proof?.isGreen, seen: proof?.seen };
}

const program = (file: string, ...args: readonly string[]): CheckTarget => ({
  kind: "command_succeeds",
  program: file,
  args,
});

test("a program that succeeds in the work folder", async () => {
  const folder = makeFolder();
  writeFileSync(path.join(folder, "here"), "");
  expect(await prove(program("test", "-e", "here"), { folder })).toMatchObject({
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
/** One in the program's own session, one in a session of its own. */
const grandchildren = "setsid sleep 60 & sleep 60 &";

test("one that takes too long is ended with all it has started", async () => {
  const place = makePlace();
  expect(await prove(program("sh", "-c", `${grandchildren} wait`), { ...place, timeoutMs: 200 })).toMatchObject({
    isGreen: false,
    seen: `sh -c ${grandchildren} wait took longer than 0.2 s.`,
  });
  expect(checksOf(place.task)).toEqual([]);
});
test("one that ignores SIGTERM is ended all the same", async () => {
  const place = makePlace();
  const stubborn = "trap '' TERM; while :; do sleep 0.1; done";
  await prove(program("sh", "-c", stubborn), { ...place, timeoutMs: 200 });
  expect(checksOf(place.task)).toEqual([]);
});
test("what it leaves behind ends with it", async () => {
  const place = makePlace();
  expect(await prove(program("sh", "-c", `${grandchildren} true`), place)).toMatchObject({ isGreen: true });
  expect(checksOf(place.task)).toEqual([]);
});
test("one whose run is not at work any more is ended at once", async () => {
  const place = makePlace();
  const over = new AbortController();
  const proven = prove(program("sh", "-c", `${grandchildren} wait`), { ...place, signal: over.signal });
  await until("it works", () => checksOf(place.task).length === 3);
  over.abort();
  expect((await proven).kind).toBe("aborted");
  expect(checksOf(place.task)).toEqual([]);
});
test("one of another task is left alone", async () => {
  const [mine, other] = [makePlace(), makePlace()];
  const proven = prove(program("sleep", "60"), { ...other, timeoutMs: 30_000 });
  await until("it works", () => checksOf(other.task).length === 1);
  expect(await endChecks(mine.jobs, mine.task)).toBe(0);
  expect(checksOf(other.task)).toHaveLength(1);
  expect(await endChecks(other.jobs, other.task)).toBe(1);
  expect((await proven).seen).toBe("sleep 60 ended with the signal SIGTERM.");
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
  const given = { ...makePlace(), folder, variables: {}, isDone: () => false };
  const proven = await proveWork(makeRun({ checks: [doneCheck] }), given, makeJournal());
  expect(proven).toMatchObject({ proofs: [{ isGreen: false }] });
});
