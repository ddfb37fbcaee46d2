import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadConfig } from "../runner/config/config.ts";
import { runnerFiles } from "./ports-runner-files.ts";
import { readInput } from "./read-input.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "homework-keys-"));
const at = (name: string) => path.join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(at("key"), "sk-1\n");
symlinkSync("key", at("link"));
symlinkSync("missing", at("nowhere"));
symlinkSync("/dev/zero", at("to-zero"));
mkdirSync(at("folder"));
writeFileSync(at("huge"), "");
truncateSync(at("huge"), 8 * 1024 ** 3);
writeFileSync(at("latin1"), Buffer.from([0xe9]));
if (process.platform !== "win32") execFileSync("mkfifo", [at("pipe")]);

const load = (tokenFile: string) => {
  const file = at("config.hcl");
  writeFileSync(file, `agent "claude" {\n token_file = "${tokenFile}"\n}\n`);
  const places = { homeFolder: folder, workingFolder: folder, project: null, task: null };
  const given = { file, readFile: runnerFiles.read, environment: {}, options: {}, ...places };
  return loadConfig(given).config.agents[0]?.token?.reveal();
};

test.each(["key", "link"])("a key is read from %s", (name) => expect(load(at(name))).toBe("sk-1"));

test.runIf(process.platform === "linux").each([
  ["/dev/zero", "names a file that cannot be used: /dev/zero cannot be read: it is not a regular file."],
  [at("to-zero"), `names a file that cannot be used: ${at("to-zero")} cannot be read: it is not a regular file.`],
  [at("pipe"), `names a file that cannot be used: ${at("pipe")} cannot be read: it is not a regular file.`],
  [
    at("folder"),
    `names a file that cannot be used: ${at("folder")} cannot be read: it is a folder where a file was expected.`,
  ],
  [
    at("huge"),
    `names a file that cannot be used: ${at("huge")} cannot be read: it has 8589934592 bytes; at most 1048576 are read.`,
  ],
  [at("latin1"), `names a file that cannot be used: ${at("latin1")} is not valid UTF-8.`],
  [at("nowhere"), `names ${at("nowhere")}, which is missing.`],
])("token_file %s is refused in one sentence, and nothing is waited for", (name, why) => {
  expect(() => load(name)).toThrow(`${at("config.hcl")}:2:2: agents.claude.token_file ${why}`);
});

test.runIf(process.platform === "linux")("a text for a command may come from a pipe, and ends at a limit", async () => {
  execFile("sh", ["-c", `printf text > ${at("pipe")}`]);
  expect(String(await readInput(at("pipe")))).toBe("text");
  await expect(readInput("/dev/zero")).rejects.toThrow("/dev/zero is too large: at most 67108864 bytes are read.");
  await expect(readInput(at("folder"))).rejects.toThrow("cannot be read: it is a folder.");
  expect(await readInput(at("missing"))).toBeNull();
});
