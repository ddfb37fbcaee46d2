// Git repositories for tests: any files in a first commit, or a small library whose test suite fails in three places.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "./runner-root.ts";
import { runGit } from "./test-git.ts";

/** A repository with these files in its first commit. */
export async function makeRepository(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = path.join(makeFolder(), "repository");
  mkdirSync(folder, { recursive: true });
  await runGit(folder, ["init", "--quiet", "--initial-branch=main"]);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  await runGit(folder, ["add", "--all"]);
  await runGit(folder, ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "-m", "First"]);
  await runGit(folder, ["config", "user.name", "Ada"]);
  await runGit(folder, ["config", "user.email", "ada@example.org"]);
  return folder;
}

const testOf = (name: string, call: string, expected: number): string => `import assert from "node:assert";
import { test } from "node:test";
import { ${name} } from "../src/${name}.js";

test("${name}", () => assert.equal(${call}, ${expected}));
`;

/** Each of the three functions is wrong, and has a test that says so. */
const garden: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify({ name: "garden", type: "module", scripts: { test: "node --test" } }, null, 2)}\n`,
  "src/area.js": "export const area = (width, length) => width + length;\n",
  "src/median.js":
    "export const median = (values) => {\n  const sorted = values;\n  return sorted[(sorted.length - 1) / 2];\n};\n",
  "src/litres.js": "// Whole litres: plants like a little more.\nexport const litres = (need) => Math.floor(need);\n",
  "test/area.test.js": testOf("area", "area(2, 3)", 6),
  "test/median.test.js": testOf("median", "median([9, 1, 3])", 3),
  "test/litres.test.js": testOf("litres", "litres(2.2)", 3),
};

export const makeGarden = (): Promise<string> => makeRepository(garden);

/** The program and arguments of its suite. */
export const gardenSuite = { program: "node", args: ["--test"] } as const;

/** For a shell in the repository: each makes one test pass. */
export const gardenFixes = {
  area: "sed -i 's/width + length/width * length/' src/area.js",
  median: "sed -i 's/= values;/= values.toSorted((a, b) => a - b);/' src/median.js",
  litres: "sed -i 's/Math.floor/Math.ceil/' src/litres.js",
} as const;

/** Makes the test pass and is wrong. */
export const plantedFault = { file: "src/median.js", line: 1, quote: "export const median = () => 3;" } as const;
export const plantFault = `echo '${plantedFault.quote}' > ${plantedFault.file}`;
export const mendFault = `git checkout --quiet main -- ${plantedFault.file} && ${gardenFixes.median}`;
/** As the branch has it once it is mended. */
export const mendedLine = {
  file: "src/median.js",
  line: 2,
  quote: "const sorted = values.toSorted((a, b) => a - b);",
} as const;
