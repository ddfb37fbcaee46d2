import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realEnv } from "../../test/helpers/embedded-env.ts";
import { AppError } from "../lib/app-error.ts";
import { lockHolder, withLock } from "./lock.ts";
import { thisProcess } from "./process-identity.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "homework-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const dead = { pid: 2 ** 22 + 1, started: "long.ago" };

function locked<T>(work: () => Promise<T>, waitMs = 10_000): Promise<T> {
  return withLock({ folder, self: thisProcess(), env: realEnv, waitMs, whileHeld: "is inside" }, work);
}

/** Runs many at once; returns the largest number that was inside together. */
async function crowd(size: number): Promise<number> {
  let inside = 0;
  let most = 0;
  const one = () =>
    locked(async () => {
      inside += 1;
      most = Math.max(most, inside);
      await realEnv.sleep(1);
      inside -= 1;
    });
  await Promise.all(Array.from({ length: size }, one));
  return most;
}

test("one at a time", async () => {
  expect(await crowd(30)).toBe(1);
});

test("a holder whose pid belongs to another process now is gone", async () => {
  writeFileSync(path.join(folder, "7"), JSON.stringify({ ...thisProcess(), started: "long.ago" }));
  expect(await locked(async () => "inside", 0)).toBe("inside");
});

test("a lock cut off by a power failure is not held", async () => {
  writeFileSync(path.join(folder, "7"), '{"pid":1');
  expect(await locked(async () => "inside", 0)).toBe("inside");
});

test.each([
  ["7", "{no json}"],
  ["7", '{"pid":"x"}'],
  ["99999999999999999999", JSON.stringify({ pid: process.pid, started: "x" })],
])("a file of others among the numbers does not hold the lock: %s %s", async (name, text) => {
  writeFileSync(path.join(folder, name), text);
  expect(await locked(async () => "inside", 0)).toBe("inside");
});

/** Runs `meanwhile` between the look at the folder and the attempt to make the next number. */
function lockedSlowly(meanwhile: () => void): Promise<string> {
  const newId = () => {
    meanwhile();
    return "slow";
  };
  const request = { folder, self: thisProcess(), env: { ...realEnv, newId }, waitMs: 0, whileHeld: "is inside" };
  return withLock(request, async () => "inside");
}

test("what a killed holder held is taken over by one, not by all who see it", async () => {
  writeFileSync(path.join(folder, "7"), JSON.stringify(dead));
  const slow = lockedSlowly(() => writeFileSync(path.join(folder, "8"), JSON.stringify(thisProcess())));
  await expect(slow).rejects.toThrow(AppError);
});

test("a number that was used and swept meanwhile gives no lock to a slow process", async () => {
  writeFileSync(path.join(folder, "7"), JSON.stringify(dead));
  const slow = lockedSlowly(() => {
    rmSync(path.join(folder, "7"), { force: true });
    writeFileSync(path.join(folder, "20"), JSON.stringify(thisProcess()));
  });
  await expect(slow).rejects.toThrow(AppError);
});

test("waiting ends with the name of who holds it", async () => {
  await locked(async () => {
    const waiting = locked(async () => "inside", 50);
    await expect(waiting).rejects.toMatchObject({ code: "database_unavailable", details: { holder: process.pid } });
    expect(lockHolder(folder)).toEqual(thisProcess());
  });
  expect(lockHolder(folder)).toBeUndefined();
});

test("work that fails gives the lock back", async () => {
  await expect(locked(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await locked(async () => "inside", 0)).toBe("inside");
});

test("old numbers and drafts of killed processes do not pile up", async () => {
  writeFileSync(path.join(folder, `draft-${dead.pid}-${dead.started}-1`), "");
  for (let times = 0; times < 30; times++) await locked(async () => {});
  expect(readdirSync(folder).length).toBeLessThan(12);
});
