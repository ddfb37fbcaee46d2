import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeFolder, removeFolders } from "../../../test/helpers/runner-root.ts";
import { readText, requireText, writeText } from "./text.ts";
import { treeDisk } from "./tree-disk.ts";

afterEach(removeFolders);

/** A tree and, beside it, a file and a folder that are not its business. */
function makeTree() {
  const above = makeFolder();
  const outside = path.join(above, "outside");
  mkdirSync(outside);
  writeFileSync(path.join(outside, "secret.txt"), "secret");
  const disk = treeDisk(path.join(above, "root"));
  return { disk, outside, at: (...names: string[]) => path.join(disk.root, ...names) };
}

test.each(["../outside/secret.txt", "a/../../outside/secret.txt", ""])(
  "a path that leaves the root is refused: %s",
  (name) => {
    const { disk, at } = makeTree();
    for (const act of [
      () => disk.read(`${disk.root}/${name}`),
      () => disk.replace(`${disk.root}/${name}`, "x"),
      () => disk.makeFolder(`${disk.root}/${name}`),
      () => disk.remove(`${disk.root}/${name}`),
      () => disk.move(at("a"), `${disk.root}/${name}`),
    ])
      expect(act).toThrow("is not inside of");
  },
);

test("a link is not followed, at the end or in the middle of a path", () => {
  const { disk, outside, at } = makeTree();
  symlinkSync(path.join(outside, "secret.txt"), at("TASK.md"));
  symlinkSync(outside, at("runs"));
  expect(() => disk.read(at("TASK.md"))).toThrow("it is a link, and links are not followed");
  for (const act of [
    () => disk.read(at("runs", "secret.txt")),
    () => disk.list(at("runs")),
    () => disk.replace(at("runs", "new.txt"), "x"),
    () => disk.append(at("runs", "secret.txt"), 0, "x"),
    () => disk.makeFolder(at("runs", "folder")),
    () => disk.removeFile(at("runs", "secret.txt")),
    () => disk.remove(at("runs", "secret.txt")),
    () => disk.move(at("runs", "secret.txt"), at("stolen")),
  ])
    expect(act).toThrow("links are not followed");
  expect(() => disk.append(at("TASK.md"), 0, "x")).toThrow("it is a link");
  expect(readdirSync(outside)).toEqual(["secret.txt"]);
  expect(readFileSync(path.join(outside, "secret.txt"), "utf8")).toBe("secret");
});

test("a second name of a file from elsewhere is not read, opened or written to; one whose other name is gone is", () => {
  const { disk, outside, at } = makeTree();
  linkSync(path.join(outside, "secret.txt"), at("TASK.md"));
  expect(readText(disk, at("TASK.md"))).toMatchObject({ why: expect.stringContaining("a hard link") });
  for (const act of [() => disk.open(at("TASK.md"), 0), () => disk.append(at("TASK.md"), 0, "x")])
    expect(act).toThrow("it is a second name of another file (a hard link)");
  expect(readFileSync(path.join(outside, "secret.txt"), "utf8")).toBe("secret");
  rmSync(path.join(outside, "secret.txt"));
  expect(readText(disk, at("TASK.md"))).toEqual({ kind: "text", text: "secret" });
});

test("a file that replaces a link leaves what was linked as it was", () => {
  const { disk, outside, at } = makeTree();
  symlinkSync(path.join(outside, "secret.txt"), at("STATE.md"));
  disk.replace(at("STATE.md"), "new");
  expect([disk.read(at("STATE.md"))?.toString(), readFileSync(path.join(outside, "secret.txt"), "utf8")]).toEqual([
    "new",
    "secret",
  ]);
});

test("a draft planted as a link is not written through", () => {
  const { disk, outside, at } = makeTree();
  symlinkSync(path.join(outside, "secret.txt"), at(`run-info.${process.pid}-0.yaml.tmp`));
  disk.replace(at("run-info.yaml"), "new");
  expect(readFileSync(path.join(outside, "secret.txt"), "utf8")).toBe("secret");
});

test.runIf(process.platform !== "win32")("a pipe, a folder and a device are not waited for or read", () => {
  const { disk, at } = makeTree();
  execFileSync("mkfifo", [at("pipe")]);
  disk.makeFolder(at("folder"));
  expect(() => disk.read(at("pipe"))).toThrow("is not a regular file");
  expect(() => disk.append(at("pipe"), 0, "x")).toThrow("a pipe or a socket");
  expect(() => disk.read(at("folder"))).toThrow("it is a folder where a file was expected");
  expect(() => disk.replace(at("folder"), "x")).toThrow("it is a folder where a file was expected");
});

test("a file that is too large is not read into memory", () => {
  const { disk, at } = makeTree();
  writeFileSync(at("large"), Buffer.alloc(16 * 1024 * 1024 + 1));
  expect(readText(disk, at("large"))).toEqual({ kind: "unreadable", why: expect.stringContaining("at most") });
});

test("a root may itself be reached through a link", () => {
  const { outside } = makeTree();
  const link = path.join(makeFolder(), "link");
  symlinkSync(outside, link);
  expect(
    treeDisk(link)
      .read(path.join(treeDisk(link).root, "secret.txt"))
      ?.toString(),
  ).toBe("secret");
});

test.each([
  ["bytes that are not UTF-8", Buffer.from([0x61, 0xff]), "is not valid UTF-8"],
  ["a byte order mark", Buffer.from("\ufeffhello"), "begins with a byte order mark"],
])("%s are named", (_what, bytes, why) => {
  const { disk, at } = makeTree();
  writeFileSync(at("text"), bytes);
  expect(readText(disk, at("text"))).toEqual({ kind: "unreadable", why: expect.stringContaining(why) });
});

test("what would not come back is not written", () => {
  const { disk, at } = makeTree();
  expect(() => writeText(disk, at("text"), "half \ud800")).toThrow("half of a character");
  expect(() => requireText("title", "\ufeffx")).toThrow("byte order mark");
  expect(readText(disk, at("text"))).toEqual({ kind: "missing" });
});
