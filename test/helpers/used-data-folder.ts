// Data folders in which Homework has been started once, copied from one that is made for the whole test run: making a database anew takes
// longer than everything else a server does when it starts.

import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { makeDataFolder, removeDataFolder, startServer, stopServer } from "./served.ts";

declare module "vitest" {
  interface ProvidedContext {
    usedDataFolder?: string;
  }
}

const projects = ["browser", "process", "first"];

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!project.vitest.projects.some(({ name }) => projects.includes(name))) return undefined;
  const data = makeDataFolder();
  await stopServer(await startServer(data));
  const memory = path.join(data, "postgres.json");
  const remembered = JSON.parse(readFileSync(memory, "utf8"));
  // Copies run at the same time: each finds a port of its own.
  writeFileSync(memory, JSON.stringify({ ...remembered, port: null }));
  // No test cuts the power: what a killed process wrote is there without waiting for the disk.
  appendFileSync(
    path.resolve(data, remembered.cluster, "postgresql.auto.conf"),
    "fsync = off\nfull_page_writes = off\n",
  );
  project.provide("usedDataFolder", data);
  return () => removeDataFolder(data);
}

/** For tests that are not about the first start. */
export function copyUsedDataFolder(): string {
  const used = inject("usedDataFolder");
  if (used === undefined) throw new Error("there is no used data folder: only tests of browser and process have one");
  const data = makeDataFolder();
  // With owners and modes: as root, the database belongs to another user.
  const { status, stderr } = spawnSync("cp", ["-a", `${used}/.`, data], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the data folder was not copied: ${stderr}`);
  return data;
}
