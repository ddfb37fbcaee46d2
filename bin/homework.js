#!/usr/bin/env node
// Starts Homework on a Node that can run it: the one running this file if it is new enough, else the one npm brought.
// Plain JavaScript that very old Nodes can read, so that they can at least say what is missing.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

if (canRunTypeScript(process.versions.node)) {
  await import("../src/main/homework.ts");
} else {
  const node = findBundledNode();
  if (node) startWith(node);
  else {
    process.stderr.write(
      `Homework needs Node.js 22.18 or newer and this is ${process.versions.node}: ` +
        "run `npm install` (with optional dependencies) in the Homework folder, or install a newer Node.js.\n",
    );
    process.exitCode = 1;
  }
}

/** Node runs TypeScript without a flag, and without a warning about it, from 22.18 on. */
function canRunTypeScript(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

function findBundledNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return null;
  }
}

function startWith(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  const forward = (signal) => child.kill(signal);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  child.on("error", (error) => {
    process.stderr.write(`Homework could not start ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (!signal) process.exit(code);
    for (const name of signals) process.removeListener(name, forward);
    process.kill(process.pid, signal);
    // A signal that this process ignores or that cannot end it still has to end in the shell's number for it.
    process.exitCode = 128 + (constants.signals[signal] ?? 0);
  });
}
