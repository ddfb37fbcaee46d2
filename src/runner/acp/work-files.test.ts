import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeFolder, removeFolders } from "../../../test/helpers/runner-root.ts";
import { openWorkFiles } from "./work-files.ts";

afterEach(removeFolders);

function makeWork() {
  const folder = makeFolder();
  const at = (...names: readonly string[]) => path.join(folder, ...names);
  for (const name of ["work", "task", "outside"]) mkdirSync(at(name));
  writeFileSync(at("outside", "secret"), "secret");
  writeFileSync(at("work", "file"), "1\n2\n3\n4");
  symlinkSync(at("outside"), at("work", "out"));
  symlinkSync(at("outside", "secret"), at("work", "leak"));
  symlinkSync(at("outside", "new"), at("work", "dangling"));
  symlinkSync("file", at("work", "same"));
  return { at, files: openWorkFiles([at("work"), at("task")]) };
}

test("files in the folders are read and written, folders above are made", () => {
  const { at, files } = makeWork();
  expect(files.read(at("work", "file"), null, null)).toBe("1\n2\n3\n4");
  expect(files.read("file", 2, 2)).toBe("2\n3");
  expect(files.read(at("work", "same"), 4, null)).toBe("4");
  files.write(at("task", "DONE"), "");
  files.write("a/b/c", "new");
  files.write("file", "short");
  expect([readFileSync(at("work", "a", "b", "c"), "utf8"), readFileSync(at("work", "file"), "utf8")]).toEqual([
    "new",
    "short",
  ]);
});

const outside = [
  "../outside/secret",
  "out/secret",
  "out/new",
  "leak",
  "dangling",
  "/etc/hostname",
  "",
  "a\0b",
  "out/../outside/x",
  "out/../file",
  "new/../../outside/x",
  "..",
  "work/../../outside/secret",
];
test.each(outside)("%j is outside", (file) => {
  const { at, files } = makeWork();
  expect(files.isInside(file)).toBe(false);
  expect(() => files.read(file, null, null)).toThrow("outside");
  expect(() => files.write(file, "x")).toThrow("outside");
  expect(readFileSync(at("outside", "secret"), "utf8")).toBe("secret");
});

test.each(["file", "not/there/yet", "./file", "."])("%j is inside", (file) => {
  expect(makeWork().files.isInside(file)).toBe(true);
});

test("a folder is no file", () => {
  const { files } = makeWork();
  expect(() => files.read(".", null, null)).toThrow("a folder where a file was expected");
});
