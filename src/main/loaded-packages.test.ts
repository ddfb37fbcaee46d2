import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** Prints the packages that a module and all that it imports at once load. */
const script = `
  import { registerHooks } from "node:module";
  const packages = new Set();
  registerHooks({
    resolve: (name, context, next) => {
      const found = next(name, context);
      const [, each] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(found.url) ?? [];
      if (each !== undefined) packages.add(each);
      return found;
    },
  });
  for (const file of process.argv.slice(1)) await import(file);
  console.log(JSON.stringify([...packages]));
`;

function packagesOf(...files: readonly string[]): unknown {
  const paths = files.map((file) => path.join(home, "src", file));
  const args = ["--no-warnings", "--input-type=module", "-e", script, ...paths];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

test("the process of an agent run loads no package: it is started for every run", () => {
  expect(packagesOf("main/open-shim.ts", "runner/backends/load-backend.ts", "runner/backends/command.ts")).toEqual([]);
});

test("run-agent task loads what reads its command line, and no other package", () => {
  const files = ["cli/agents/program.ts", "cli/agents/actions/run-task.ts", "main/open-agents.ts"];
  expect(packagesOf(...files)).toEqual(["commander"]);
});
