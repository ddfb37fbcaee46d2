// The same contract with a recorder in place of each program, which also tells exactly what the program was given.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fc } from "@fast-check/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireBackend } from "../../src/runner/backends/backends.ts";
import { inJob } from "../../src/runner/job/job-files.ts";
import { waitForJob } from "../../src/runner/job/wait-for-job.ts";
import { inRun } from "../../src/runner/layout/runner-root.ts";
import { filesBelow } from "../helpers/files-below.ts";
import { hostileStrings } from "../helpers/hostile-strings.ts";
import { agentKey, openAgentWorld, programs, type TestedAgent } from "./agent-world.ts";
import { describeAgent } from "./contract.ts";
import { type AgentName, agentNames } from "./install-agents.ts";
import type { RecordedStart } from "./programs/recorder.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "homework-recorder-"));
  for (const name of agentNames) {
    const program = path.join(folder, name);
    writeFileSync(
      program,
      `#!/bin/sh\nexec '${process.execPath}' '${path.join(programs, "recorder.ts")}' '${folder}' ${name} "$@"\n`,
    );
    chmodSync(program, 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const describeTested = (name: AgentName): TestedAgent => ({
  name,
  binFolder: folder,
  model: "lab/a model",
  baseUrl: "http://127.0.0.1:1/v1",
  variables: { HOMEWORK_SECRET: "not for agents", OPENAI_API_KEY: "nor this", CLAUDECODE: "1" },
  lastWords: "All done: the DONE marker is written.",
});

const readStarts = (): readonly RecordedStart[] =>
  readFileSync(path.join(folder, "starts.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordedStart);

for (const name of agentNames)
  describeAgent(`${name}, recorded`, () => describeTested(name), name === "claude" ? "whole" : "ends");

/** A part of these has to come through as prompts of their own; all of them do inside of one. */
const alone = 2;
const hostile = [
  ...hostileStrings(5_000),
  ...fc.sample(fc.string({ unit: "binary", minLength: 1, maxLength: 200 }), { seed: 13, numRuns: 500 }),
].filter((text) => text.isWellFormed());

test.each(agentNames)("%s gets hostile prompts byte for byte, and the same arguments for each", async (name) => {
  const agent = describeTested(name);
  const { root, task, start, deps, runOf } = openAgentWorld(agent);
  const step = Math.floor(hostile.length / alone);
  const from = agentNames.indexOf(name);
  const prompts = [
    hostile.join("\n").replace(/^\uFEFF/, ""),
    ...Array.from({ length: alone }, (_, n) => hostile[n * step + from] ?? "").filter((text) => !/^\uFEFF/.test(text)),
  ];
  for (const prompt of prompts) {
    const handle = await start("talk", { prompt });
    await waitForJob(deps, handle, { slowestMs: 50 });
    const run = runOf(handle);
    const given = readStarts().at(-1) as RecordedStart;
    const golden = requireBackend(name).command({
      promptFile: inRun(run, "prompt"),
      workFolder: task.path,
      ownFolder: inJob(run, "own"),
      model: agent.model,
      baseUrl: agent.baseUrl,
      token: agentKey,
      session: null,
      program: [],
    });
    expect(Buffer.from(given.prompt, "base64").equals(Buffer.from(prompt))).toBe(true);
    expect([given.name, given.args, given.cwd]).toEqual([name, golden.args, task.path]);
    expect(given.env).toMatchObject(golden.env);
    expect(JSON.stringify(given.env)).not.toMatch(/not for agents|nor this|CLAUDECODE/);
  }
  const above = path.dirname(root.folder);
  expect(filesBelow(above).filter((file) => !file.startsWith(`${task.path}/`))).toEqual([]);
});
