import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { realEnv } from "../main/env.ts";
import { nameAfter, thisProcess } from "./process-identity.ts";
import { putInPlace } from "./put-in-place.ts";

const folder = mkdtempSync(path.join(tmpdir(), "homework-place-"));
const file = path.join(folder, "backup.dump");
const old = "what was there before";
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});

const put = (write: (draft: string) => Promise<unknown>, overwrite = false, to = file) =>
  putInPlace({ file: to, overwrite, env: realEnv }, write);
const whole = async (draft: string) => writeFileSync(draft, "new");
const torn = async (draft: string) => {
  writeFileSync(draft, "ne");
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
};

test("a new file is put in place, and nothing else is left", async () => {
  await put(whole);
  expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["backup.dump"], "new"]);
});

test("a file that is there stays unless it may be replaced", async () => {
  writeFileSync(file, old);
  await expect(put(whole)).rejects.toMatchObject({ code: "already_exists" });
  expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["backup.dump"], old]);
  await put(whole, true);
  expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["backup.dump"], "new"]);
});

test("one that comes while the new one is written stays, too", async () => {
  const slow = async (draft: string) => {
    await whole(draft);
    writeFileSync(file, old);
  };
  await expect(put(slow)).rejects.toMatchObject({ code: "already_exists" });
  expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["backup.dump"], old]);
});

test("while the new one is written, the old one is there", async () => {
  writeFileSync(file, old);
  await put(async (draft) => {
    expect(readFileSync(file, "utf8")).toBe(old);
    await whole(draft);
  }, true);
});

test("a full disk leaves the old file as it was, nothing beside it, and the next try free to go", async () => {
  writeFileSync(file, old);
  await expect(put(torn, true)).rejects.toThrow(/not enough room for .*backup\.dump/);
  expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["backup.dump"], old]);
  rmSync(file);
  await expect(put(torn)).rejects.toMatchObject({ code: "unprocessable" });
  expect(readdirSync(folder)).toEqual([]);
  await put(whole);
});

test("what a killed process left is cleared away, what a living one writes is not", async () => {
  const gone = path.join(folder, `.homework-draft-${nameAfter({ pid: 2 ** 30, started: "1" }, "x")}`);
  const alive = path.join(folder, `.homework-draft-${nameAfter(thisProcess(), "x")}`);
  const fresh = path.join(folder, `.homework-draft-${nameAfter({ pid: 2 ** 30, started: "1" }, "y")}`);
  for (const draft of [gone, alive, fresh]) writeFileSync(draft, "torn");
  for (const draft of [gone, alive]) utimesSync(draft, 1, 1);
  await put(whole);
  expect(readdirSync(folder).toSorted()).toEqual(
    [path.basename(fresh), path.basename(alive), "backup.dump"].toSorted(),
  );
});

test("a link to a file stays a link; what is no file is refused", async () => {
  const link = path.join(folder, "latest");
  writeFileSync(file, old);
  symlinkSync(file, link);
  await put(whole, true, link);
  expect([readFileSync(file, "utf8"), readdirSync(folder).length]).toEqual(["new", 2]);
  await expect(put(whole, true, "/dev/null")).rejects.toMatchObject({ code: "invalid_request" });
  await expect(put(whole, true, folder)).rejects.toMatchObject({ code: "invalid_request" });
});

test.each([
  ["no folder", "missing/backup.dump", "not_found"],
  ["a file for a folder", "backup.dump/x", "invalid_request"],
  ["a name too long", "x".repeat(300), "invalid_request"],
])("%s is said in one sentence", async (_, name, code) => {
  writeFileSync(file, old);
  await expect(put(whole, false, path.join(folder, name))).rejects.toMatchObject({ code });
});
