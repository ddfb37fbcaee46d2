// Runs one of our TypeScript files on a Node that can: the one running now if it is new enough, else the one npm brought.
// Plain JavaScript that old Nodes can read, so that they can at least say what is missing.

import { spawn, spawnSync } from "node:child_process";
import * as nodeModule from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

/**
 * `entry` is the URL of the file, `name` what people call the program. `installsAgain`: npm leaves out an optional package that it could
 * not fetch, and calls that a success; so where ours is missing, the packages are installed once more. `environment`: variables that the
 * program has to begin with, unless they are set.
 */
export async function runTypeScript(entry, name, { installsAgain = false, environment = {} } = {}) {
  if (canRunTypeScript(process.versions.node)) {
    beginWith(environment);
    silenceTypeStrippingWarning();
    keepCompiled();
    await import(entry.href);
    return;
  }
  const node = findBundledNode() ?? (installsAgain ? installNode(name) : null);
  if (node) startWith(node, name);
  else {
    process.stderr.write(
      `${name} needs Node.js 22.18 or newer and this is ${process.versions.node}: ` +
        "run `npm ci` (with optional dependencies) in the Homework folder, or install a newer Node.js.\n",
    );
    process.exitCode = 1;
  }
}

/** Some variables are read only when a process begins, so it begins once more, as the same process; where it cannot, it does without. */
function beginWith(environment) {
  const isMissing = Object.keys(environment).some((name) => process.env[name] === undefined);
  if (!isMissing || process.platform !== "linux" || process.execve === undefined) return;
  const { execPath, execArgv, argv, env } = process;
  process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...environment, ...env });
}

/** Node runs TypeScript without a flag from 22.18 on. */
function canRunTypeScript(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/**
 * What was compiled is kept for the next start, beside the packages: every user and every agent of this installation finds it there, and
 * a new installation begins anew. The folder for temporary files is second best: an agent has one of its own.
 */
function keepCompiled() {
  const { FAILED } = nodeModule.constants.compileCacheStatus;
  const folder = fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));
  if (nodeModule.enableCompileCache(folder).status === FAILED) nodeModule.enableCompileCache();
}

/** Node 22 and early 24 announce that they strip types, which tells people who run a command nothing. */
function silenceTypeStrippingWarning() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (String(warning).startsWith("Type Stripping is an experimental feature")) return;
    emitWarning.call(process, warning, ...rest);
  };
}

function findBundledNode() {
  try {
    return nodeModule.createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return null;
  }
}

function installNode(name) {
  process.stderr.write(
    `${name} needs Node.js 22.18 or newer, and the last installation left out the one that npm brings: running \`npm ci\` once more.\n`,
  );
  const folder = fileURLToPath(new URL("..", import.meta.url));
  // What npm says goes where our own words go: output is the program's.
  spawnSync("npm", ["ci", "--include=optional"], { cwd: folder, stdio: ["ignore", 2, 2] });
  return findBundledNode();
}

function startWith(node, name) {
  const child = spawn(node, [...process.execArgv, process.argv[1], ...process.argv.slice(2)], { stdio: "inherit" });
  const forward = (signal) => child.kill(signal);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  child.on("error", (error) => {
    process.stderr.write(`${name} could not start ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (!signal) process.exit(code);
    for (const each of signals) process.removeListener(each, forward);
    process.kill(process.pid, signal);
    // A signal that this process ignores or that cannot end it still has to end in the shell's number for it.
    process.exitCode = 128 + (constants.signals[signal] ?? 0);
  });
}
