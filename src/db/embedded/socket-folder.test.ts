// Which sockets a start removes: those of a killed server, never those of one that may be alive.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { clearSockets } from "./socket-folder.ts";

const folder = mkdtempSync(path.join(tmpdir(), "homework-sockets-"));
const empty = () => rmSync(folder, { recursive: true, force: true });
beforeEach(() => {
  empty();
  mkdirSync(folder);
});
afterAll(empty);

const sockets = [".s.PGSQL.5432", ".s.PGSQL.5432.lock"];

test.each([
  ["none", []],
  ["stale", []],
  ["unclear", sockets],
  ["running", sockets],
] as const)("of a server that is %s, the sockets %j stay", (state, kept) => {
  for (const name of sockets) writeFileSync(path.join(folder, name), "");
  clearSockets(folder, state);
  expect(readdirSync(folder)).toEqual(kept);
});
