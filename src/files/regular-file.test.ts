import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { ofOwner, readRegular, writeRegular } from "./regular-file.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "homework-files-"));
const at = (name: string) => path.join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(at("file"), "text");
symlinkSync("file", at("link"));
symlinkSync("circle", at("circle"));
symlinkSync("/dev/zero", at("to-device"));
mkdirSync(at("folder"));
writeFileSync(at("first"), "text");
linkSync(at("first"), at("second"));
writeFileSync(at("sparse"), "");
truncateSync(at("sparse"), 8 * 1024 ** 3);
if (process.platform !== "win32") execFileSync("mkfifo", [at("pipe")]);

const max = 1_000;

test("a file is read, by its owner also through a link or another name; one that is missing is null", () => {
  expect(String(readRegular(at("file"), 4))).toBe("text");
  for (const name of ["link", "second"]) expect(String(readRegular(at(name), max, ofOwner))).toBe("text");
  for (const name of ["missing", "file/below"]) expect(readRegular(at(name), max)).toBeNull();
});

test.runIf(process.platform === "linux").each([
  ["link", "it is a link, and links are not followed"],
  ["second", "it is a second name of another file (a hard link)"],
  ["folder", "it is a folder where a file was expected"],
  ["pipe", "it is not a regular file"],
])("%s is not read where others choose what stands under a name: %s", (name, why) =>
  expect(() => readRegular(at(name), max)).toThrow(`${at(name)} cannot be used: ${why}. Remove or rename it.`),
);

test.runIf(process.platform === "linux").each([
  ["folder", "it is a folder where a file was expected"],
  ["pipe", "it is not a regular file"],
  ["to-device", "it is not a regular file"],
  ["circle", "its links lead in a circle"],
  ["sparse", "has 8589934592 bytes; at most 1000 are read"],
])("%s is not read for its owner either, and nothing is waited for: %s", (name, why) =>
  expect(() => readRegular(at(name), max, ofOwner)).toThrow(why),
);

test.runIf(process.platform === "linux")(
  "a file of the system that says it has no bytes is read up to the limit",
  () => {
    expect(String(readRegular("/proc/self/status", 100_000))).toContain("Pid:");
    expect(() => readRegular("/proc/self/status", 10)).toThrow("at most 10 are read");
  },
);

test("a file is made, and written whole when it is written again", () => {
  for (const text of ["a long text\n", "short\n"]) {
    writeRegular(at("written"), text);
    expect(readFileSync(at("written"), "utf8")).toBe(text);
  }
});

test.runIf(process.platform === "linux").each([
  ["link", "it is a link, and links are not followed"],
  ["second", "it is a second name of another file (a hard link)"],
  ["folder", "it is a folder where a file was expected"],
  ["pipe", "it is a pipe or a socket where a file was expected"],
])("nothing is written into %s, and nothing is waited for: %s", (name, why) => {
  expect(() => writeRegular(at(name), "other")).toThrow(`${at(name)} cannot be used: ${why}. Remove or rename it.`);
  for (const kept of ["file", "first"]) expect(readFileSync(at(kept), "utf8")).toBe("text");
});
