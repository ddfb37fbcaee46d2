// Checks of the code itself: who may import whom, how long things may get, what may not be reached for.
// A failing line says what to do, so nobody has to find the rule first.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { filesBelow } from "./helpers/files-below.ts";
import { isGenerated, isTest, lineOf, type SourceFile, sourceFiles, visit } from "./helpers/source-files.ts";

/** Bottom first. A folder may import itself and the folders listed for it; main/ may import anything. */
const layers: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ["lib"],
  protocol: ["lib", "domain"],
  prompts: ["lib", "domain"],
  files: ["lib"],
  db: ["lib", "files"],
  runs: ["lib", "domain"],
  outcomes: ["lib", "domain", "runs"],
  store: ["lib", "domain", "db", "runs", "outcomes"],
  queue: ["lib", "db"],
  llm: ["lib", "domain", "store"],
  tools: ["lib", "domain", "db", "store"],
  runner: ["lib", "domain", "files", "runs"],
  engine: ["lib", "domain", "prompts", "llm", "tools", "runner", "store", "runs", "db"],
  homr: ["lib", "domain", "prompts", "llm", "runs", "outcomes", "engine"],
  notify: ["lib", "domain", "db", "store"],
  loop: "lib domain prompts db runs outcomes store queue llm tools runner engine homr notify".split(" "),
  server: ["lib", "domain", "protocol", "db", "runs", "outcomes", "store", "queue", "notify"],
  cli: ["lib", "domain", "protocol", "runner"],
};

/** The same for web/src. A feature is a page or a group of them; features meet only in app/. */
const webLayers: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  ui: ["lib"],
  features: ["lib", "ui"],
  app: ["lib", "ui", "features"],
};

/** These also run in a browser or in a simulation, so nothing of the machine may be reached from them. */
const pureFolders = ["lib", "domain", "protocol", "prompts"];
const purePackages = ["zod", "yaml", "eventsource-parser/stream"];

/** Reaching for these makes a run unrepeatable; only src/main/ may, to pass them in. */
const banned: Readonly<Record<string, string>> = {
  "Date.now": "take env.now()",
  "new Date()": "take env.now()",
  "performance.now": "take env.now()",
  "Math.random": "take env.random()",
  randomUUID: "take env.newId()",
  "crypto.randomUUID": "take env.newId()",
  "process.env": "take the value from Config",
  console: "take the logger",
};
/** A page has a real clock; it still has no settings and no one reads its console. */
const bannedOnWeb = ["process.env", "console"];

const fileLinesMax = 400;
const functionLinesMax = 70;
/** A page's markup is long without being complicated. */
const componentLinesMax = 150;
const headerLinesMax = 5;

type Manifest = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
const manifests = ["package.json", "web/package.json"].map((file) => ({
  file,
  manifest: JSON.parse(readFileSync(file, "utf8")) as Manifest,
}));
const dependencyFields = ["dependencies", "devDependencies", "optionalDependencies", "overrides"];

const product = sourceFiles.filter((source) => source.file.startsWith("src/") && !isTest(source));
const web = sourceFiles.filter((source) => source.file.startsWith("web/src/") && !isTest(source));

function check(sources: readonly SourceFile[], find: (source: SourceFile) => readonly string[]): void {
  expect(sources.flatMap((source) => find(source).map((problem) => `${source.file}: ${problem}`))).toEqual([]);
}

test("folders import only downwards", () =>
  check(product, ({ folder, imports }) => {
    if (folder === "main") return [];
    const allowed = layers[folder];
    if (!allowed) return [`add ${folder}/ to the layers in test/tidy.test.ts and to ARCHITECTURE.md`];
    return imports
      .map((target) => (target.startsWith("src/") ? (target.split("/")[1] ?? "") : target))
      .filter((target) => target !== folder && !allowed.includes(target))
      .map((target) => `${folder}/ may not import ${target}; move the shared part down or pass it in from main/`);
  }));

test("code that must run anywhere reaches for nothing of the machine", () =>
  check(product, ({ folder, packages }) =>
    pureFolders.includes(folder)
      ? packages
          .filter((name) => !purePackages.includes(name))
          .map((name) => `${folder}/ may not import ${name}; take it as an argument`)
      : [],
  ));

test("pages know the server only through the protocol", () =>
  check(web, ({ imports }) =>
    imports
      .filter((target) => !target.startsWith("web/src/") && !target.startsWith("src/protocol/"))
      .map((target) => `web may not import ${target}; only src/protocol/`),
  ));

test("pages' folders import only downwards, and features never each other", () =>
  check(web, ({ folder, imports }) => {
    if (folder === "") return []; // the entry, which only starts app/
    const [layer = ""] = folder.split("/");
    const allowed = webLayers[layer];
    if (!allowed) return [`add ${folder}/ to the web layers in test/tidy.test.ts and to ARCHITECTURE.md`];
    return imports
      .filter((target) => target.startsWith("web/src/"))
      .map((target) =>
        target
          .split("/")
          .slice(2, target.startsWith("web/src/features/") ? 4 : 3)
          .join("/"),
      )
      .filter((target) => target !== folder && !allowed.includes(target.split("/")[0] ?? ""))
      .map((target) => `${folder}/ may not import ${target}/; move the shared part to ui/ or lib/`);
  }));

test("no files import each other in a circle", () => {
  const circles = findCircles([...product, ...web]);
  expect(
    circles.map(([file, back]) => `${file} imports ${back.join(", ")}; move what both need to a file below both`),
  ).toEqual([]);
});

test("time, chance and settings are passed in", () => {
  check(product, (source) => (source.folder === "main" ? [] : bannedIn(source, Object.keys(banned))));
  check(web, (source) => bannedIn(source, bannedOnWeb));
});

test("every file opens by saying what it is for", () =>
  check(
    sourceFiles.filter((source) => !isTest(source) && !isGenerated(source)),
    ({ text }) => {
      const [paragraph = ""] = text.replace(/^#!.*\n/, "").split(/\n(?!\/\/ )/, 1);
      if (!paragraph.startsWith("// ")) return ["begin with a comment: what it decides or does, what it must not"];
      const lines = paragraph.split("\n").length;
      return lines > headerLinesMax ? [`opens with ${lines} lines of comment; ${headerLinesMax} are enough`] : [];
    },
  ));

test("every migration opens by saying why, and is numbered", () => {
  const files = existsSync("src/db/migrations") ? readdirSync("src/db/migrations").sort() : [];
  expect(files.filter((file) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(file))).toEqual([]);
  expect(files.filter((file) => !readFileSync(`src/db/migrations/${file}`, "utf8").startsWith("-- "))).toEqual([]);
  const numbers = files.map((file) => Number(file.slice(0, 4)));
  expect(numbers).toEqual(files.map((_, index) => (numbers[0] ?? 0) + index));
});

test("files and functions fit in the head", () =>
  check(
    sourceFiles.filter((source) => !isGenerated(source)),
    (source) => {
      const lines = lineOf(source, source.text.trimEnd().length);
      const tooLong = lines > fileLinesMax ? [`${lines} lines; split it (at most ${fileLinesMax})`] : [];
      return isTest(source) ? tooLong : [...tooLong, ...longFunctions(source)];
    },
  ));

test("names of files are kebab-case", () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
  expect(
    sourceFiles.map(({ file }) => file).filter((file) => !file.split("/").every((part) => kebab.test(part))),
  ).toEqual([]);
});

test("nothing is exported without a name", () =>
  check(
    sourceFiles.filter(({ file }) => !file.endsWith(".config.ts")),
    (source) => {
      const problems: string[] = [];
      visit(source, ["ExportDefaultDeclaration"], ({ start }) => {
        problems.push(`line ${lineOf(source, start)}: give the export a name`);
      });
      return problems;
    },
  ));

test("no test is left out without a reason", () => check(sourceFiles.filter(isTest), leftOutTests));

test("ARCHITECTURE.md names every room, docs/where.md every folder of tests", () => {
  const map = readText("ARCHITECTURE.md") + readText("docs/where.md");
  const folders = [
    ...new Set(product.map(({ folder }) => `src/${folder}/`)),
    ...readdirSync("test", { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `test/${entry.name}/`),
    ...["web", "bin", "scripts", "bench", "docs"].filter((name) => existsSync(name)).map((name) => `${name}/`),
  ];
  expect(folders.filter((folder) => !map.includes(folder)).map((folder) => `describe ${folder} there`)).toEqual([]);
});

test("continuous integration runs what the README says", () => {
  const command = "npm ci && npm test";
  expect(readText("README.md"), `give \`${command}\` as the way to test`).toContain(command);
  expect(readText(".ci/run").split("\n")).toContain(command);
});

test("decision records are numbered without gaps", () => {
  const files = decisionRecords().map((file) => path.basename(file));
  expect(files.filter((file) => !/^\d{4}-[a-z0-9-]+\.md$/.test(file))).toEqual([]);
  const numbers = files.map((file) => Number(file.slice(0, 4)));
  expect(numbers).toEqual(files.map((_, index) => (numbers[0] ?? 0) + index));
});

test("every dependency is a decision", () => {
  const decided = decisionRecords().map(readText).join("\n");
  const names = manifests.flatMap(({ manifest }) =>
    dependencyFields.flatMap((field) => Object.keys(manifest[field] ?? {})),
  );
  const missing = [...new Set(names)].filter((name) => !decided.includes(`\`${name}\``));
  expect(
    missing.map((name) => `say in a record below docs/decisions/ why \`${name}\` (in backticks) is needed`),
  ).toEqual([]);
});

test("every dependency has one exact version", () => {
  const loose = manifests.flatMap(({ file, manifest }) =>
    dependencyFields.flatMap((field) =>
      Object.entries(manifest[field] ?? {})
        .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(([name, version]) => `${file}: ${field}: write ${name} without a range, not ${version}`),
    ),
  );
  expect(loose).toEqual([]);
});

test("the lockfile works with any registry", () => {
  const lines = readText("package-lock.json").split("\n");
  const pinned = lines.flatMap((line, index) => (line.includes('"resolved": "http') ? [`line ${index + 1}`] : []));
  expect(pinned, "run npm install again with omit-lockfile-registry-resolved=true (.npmrc)").toEqual([]);
});

/** What is left once every file is gone that imports none of the others, or that none of the others imports. */
function findCircles(sources: readonly SourceFile[]): readonly (readonly [string, readonly string[]])[] {
  let left = new Map(sources.map(({ file, imports }) => [file, imports]));
  for (;;) {
    const within = [...left].map(([file, imports]) => [file, imports.filter((each) => left.has(each))] as const);
    const imported = new Set(within.flatMap(([, imports]) => imports));
    const kept = within.filter(([file, imports]) => imports.length > 0 && imported.has(file));
    if (kept.length === left.size) return kept;
    left = new Map(kept);
  }
}

function bannedIn(source: SourceFile, names: readonly string[]): readonly string[] {
  const problems: string[] = [];
  const see = (node: { start: number; end: number }) => {
    const code = source.text.slice(node.start, node.end).replaceAll(/\s|globalThis\./g, "");
    const found = names.find((name) => code === name.replaceAll(" ", ""));
    if (found) problems.push(`line ${lineOf(source, node.start)}: ${found}: ${banned[found]}`);
  };
  visit(source, ["MemberExpression", "NewExpression"], see);
  visit(source, ["CallExpression"], (node) => node.type === "CallExpression" && see(node.callee));
  visit(source, ["MemberExpression"], (node) => node.type === "MemberExpression" && see(node.object));
  return [...new Set(problems)];
}

function longFunctions(source: SourceFile): readonly string[] {
  const problems: string[] = [];
  const measure = ({ start, end }: { start: number; end: number }) => {
    const lines = lineOf(source, end) - lineOf(source, start) + 1;
    const isComponent =
      source.file.endsWith(".tsx") && /(function|const) [A-Z]\w*\b[^;]*$/.test(lineUpTo(source, start));
    const max = isComponent ? componentLinesMax : functionLinesMax;
    if (lines > max) problems.push(`line ${lineOf(source, start)}: function of ${lines} lines; at most ${max}`);
  };
  visit(source, ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"], measure);
  return problems;
}

/** The beginning of the statement that a function stands in, including its own name. */
function lineUpTo({ text }: SourceFile, offset: number): string {
  const begin = text.lastIndexOf("\n", offset) + 1;
  return text.slice(begin, text.indexOf("(", offset));
}

function leftOutTests(source: SourceFile): readonly string[] {
  const lines = source.text.split("\n");
  const problems: string[] = [];
  visit(source, ["MemberExpression"], (node) => {
    const code = source.text.slice(node.start, node.end);
    const word = /^(?:test|it|describe|suite)\b.*\.(skip|only|todo)$/s.exec(code)?.[1];
    if (!word) return;
    const line = lineOf(source, node.end);
    const hasReason = /^\s*\/\/ \w/.test(lines[lineOf(source, node.start) - 2] ?? "");
    if (word === "only") problems.push(`line ${line}: .only leaves out all the others`);
    else if (!hasReason) problems.push(`line ${line}: say in a comment on the line above why .${word}`);
  });
  return problems;
}

function decisionRecords(): readonly string[] {
  return existsSync("docs/decisions") ? [...filesBelow("docs/decisions")].sort() : [];
}

function readText(file: string): string {
  expect(existsSync(file), `write ${file}`).toBe(true);
  return readFileSync(file, "utf8");
}
