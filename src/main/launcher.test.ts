import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const home = fileURLToPath(new URL("../..", import.meta.url));
const launcher = path.join(home, "bin", "homework.js");
/** Makes any Node look like one that is too old to run TypeScript. */
const pretendOld = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.19.0"})`;
/** A Node of this machine that really is too old, else ours in disguise. */
const [oldNode, ...oldNodeFlags] = findOldNode() ?? [process.execPath, "--import", pretendOld];

type Ran = { readonly code: number | null; readonly out: string; readonly words: string };

function run(node: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(node, [...args], { env }, (_error, out, words) =>
      resolve({ code: child.exitCode, out, words }),
    );
  });
}

function findOldNode(): [string] | null {
  const names = (process.env.PATH ?? "").split(path.delimiter).map((folder) => path.join(folder, "node"));
  const found = names.filter(existsSync).find((name) => {
    const [major = 0] = execFileSync(name, ["-p", "process.versions.node"], { encoding: "utf8" })
      .split(".")
      .map(Number);
    return major >= 18 && major < 22;
  });
  return found === undefined ? null : [found];
}

test("commands are linked at installation: npx looks at all packages first for one of the root package", () => {
  const read = (...names: readonly string[]) => JSON.parse(readFileSync(path.join(home, ...names), "utf8"));
  expect(read("package.json")).toMatchObject({ workspaces: expect.arrayContaining(["bin"]) });
  expect(read("package.json").bin).toBeUndefined();
  for (const file of Object.values<string>(read("bin", "package.json").bin))
    expect(existsSync(path.join(home, "bin", file))).toBe(true);
});

describe("on a Node that is new enough", () => {
  test("the program runs without a warning", async () => {
    expect(await run(process.execPath, [launcher, "--version"])).toMatchObject({
      code: 0,
      words: "",
      out: expect.stringMatching(/^\d/),
    });
  });

  test("its exit code is the launcher's", async () => {
    expect((await run(process.execPath, [launcher, "nonsense"])).code).toBe(2);
  });
});

describe("on an older Node", () => {
  /** A small installation whose program says which Node it got and then waits, or does as it is told. */
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(path.join(tmpdir(), "homework-launcher-"));
    mkdirSync(path.join(copy, "src", "main"), { recursive: true });
    cpSync(path.join(home, "bin"), path.join(copy, "bin"), { recursive: true });
    writeFileSync(path.join(copy, "package.json"), `{"type":"module"}`);
    mkdirSync(path.join(copy, "test", "helpers"), { recursive: true });
    writeFileSync(path.join(copy, "test", "helpers", "full-run.ts"), 'console.log("tested" as string);');
    writeFileSync(
      path.join(copy, "src", "main", "homework.ts"),
      `const how: string = process.argv[2] ?? "";
       if (how === "die") process.kill(process.pid, "SIGKILL");
       process.on("SIGTERM", () => process.exit(7));
       process.stdout.write(\`\${process.versions.node} \${how}\\n\`);
       if (how === "wait") setInterval(() => {}, 1000);`,
    );
  });

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const start = (...args: readonly string[]): ChildProcess =>
    spawn(oldNode, [...oldNodeFlags, path.join(copy, "bin", "homework.js"), ...args]);

  test("without the one from npm one sentence says what to do", async () => {
    const ran = await run(oldNode, [...oldNodeFlags, path.join(copy, "bin", "homework.js")]);
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.words).toMatch(/^Homework needs Node\.js 22\.18 or newer and this is [\d.]+: run `npm ci`.*\.\n$/);
  });

  test.each([
    ["brings it, and the tests run", `ln -s "${path.join(home, "node_modules")}" node_modules`, 0, "tested\n"],
    ["leaves it out, too, and that is said", "true", 1, ""],
  ])("where npm left it out the test run installs once more: %s", async (_, install, code, out) => {
    const bin = path.join(copy, "npm-bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, "npm"), `#!/bin/sh\necho "npm $*" >> npm-calls\n${install}\n`, { mode: 0o755 });
    const ran = await run(oldNode, [...oldNodeFlags, path.join(copy, "bin", "test.js")], {
      PATH: `${bin}:/usr/bin:/bin`,
    });
    const calls = readFileSync(path.join(copy, "npm-calls"), "utf8");
    for (const made of ["npm-calls", "node_modules"]) rmSync(path.join(copy, made), { force: true });
    expect(ran).toMatchObject({ code, out });
    expect(ran.words).toMatch(/^The test run needs Node\.js 22\.18 or newer, .*: running `npm ci` once more\.\n/);
    expect(ran.words.includes("or install a newer Node.js.")).toBe(code === 1);
    expect(calls).toBe("npm ci --include=optional\n");
  });

  describe("with the one from npm", () => {
    beforeAll(() => symlinkSync(path.join(home, "node_modules"), path.join(copy, "node_modules")));

    test("the program runs on that one", async () => {
      const child = start("hello");
      const [said] = await once(child.stdout ?? child, "data");
      expect(String(said)).toMatch(/^24\.\d+\.\d+ hello\n$/);
      expect(await once(child, "exit")).toEqual([0, null]);
    });

    test("a signal reaches the program and its exit code comes back", async () => {
      const child = start("wait");
      await once(child.stdout ?? child, "data");
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([7, null]);
    });

    test("a program that is killed is not taken for one that ended", async () => {
      expect(await once(start("die"), "exit")).toEqual([null, "SIGKILL"]);
    });
  });
});

test("a reader that goes away ends the command quietly", async () => {
  const command = `"${process.execPath}" "${launcher}" config schema | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const ran = await new Promise<Ran>((resolve) => {
    execFile("bash", ["-c", command], (error, out, words) => resolve({ code: error ? 1 : 0, out, words }));
  });
  expect(ran).toMatchObject({ out: "{\n0\n", words: "" });
});
