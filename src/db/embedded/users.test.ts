import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realEnv } from "../../../test/helpers/embedded-env.ts";
import { thisProcess } from "../../files/process-identity.ts";
import { dataFolderAt } from "./data-folder.ts";
import { untilStrangersGone } from "./strangers.ts";
import { freshen, signIn, signOut, strangersOf, sweepUsers, usersOf } from "./users.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "homework-users-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const self = thisProcess();

/** A file of a process somewhere else, last freshened so long ago. */
function seatElsewhere(ageMs: number): void {
  const file = path.join(folder, "17-another.boot-seat");
  writeFileSync(file, "another machine");
  utimesSync(file, (realEnv.now() - ageMs) / 1000, (realEnv.now() - ageMs) / 1000);
}

test("a process is a user from sign-in to sign-out", () => {
  signIn(folder, self, "a");
  expect(usersOf(folder)).toEqual([self]);
  signOut(folder, self, "a");
  expect(usersOf(folder)).toEqual([]);
});

test("a process that is gone is none, and its file is swept", () => {
  signIn(folder, { ...self, started: "long.ago" }, "a");
  expect(usersOf(folder)).toEqual([]);
  sweepUsers(folder);
  expect(readdirSync(folder)).toEqual([]);
});

test("a file from elsewhere is not swept while it is fresh: its process cannot be seen from here", () => {
  signIn(folder, self, "a");
  seatElsewhere(1000);
  sweepUsers(folder);
  expect(strangersOf(folder, freshen(folder, self, "a"))).toHaveLength(1);
});

test("a file from elsewhere that nobody freshens is left from a process that was killed", () => {
  signIn(folder, self, "a");
  seatElsewhere(60_000);
  expect(strangersOf(folder, freshen(folder, self, "a"))).toEqual([]);
  expect(readdirSync(folder)).toHaveLength(1);
});

test("freshening brings nobody back who has signed out", () => {
  signIn(folder, self, "a");
  signOut(folder, self, "a");
  expect(() => freshen(folder, self, "a")).toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

/** Waits with a clock that only moves when somebody sleeps; `eachSleep` is what happens elsewhere meanwhile. */
async function wait(eachSleep: (now: number) => void): Promise<readonly string[]> {
  let now = realEnv.now();
  const said: string[] = [];
  const data = { ...dataFolderAt(folder), users: folder };
  const sleep = async (ms: number) => {
    now = (now + ms) as typeof now;
    eachSleep(now);
  };
  const env = { ...realEnv, now: () => now, sleep };
  await untilStrangersGone({ data, env, say: (line) => said.push(line), freshen: () => now });
  return said;
}

test("a start waits until a process killed elsewhere counts as gone", async () => {
  seatElsewhere(1000);
  expect(await wait(() => {})).toHaveLength(1);
});

test("a start is refused while a process elsewhere keeps its file fresh", async () => {
  seatElsewhere(1000);
  const alive = wait((now) => utimesSync(path.join(folder, "17-another.boot-seat"), now / 1000, now / 1000));
  await expect(alive).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringContaining("DATABASE_URL"),
  });
});
