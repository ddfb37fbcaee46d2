import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fc } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { isRecord, readJson } from "../../lib/json.ts";
import type { AgentEnd, BackendName, Verdict } from "./backend.ts";
import { requireBackend } from "./backends.ts";

// What real programs printed, started as the adapters say: claude 2.1.325, codex 0.166.0, gemini 0.61.0, opencode 1.18.33; under acp what
// our own program told of `gemini --acp` and `opencode acp`.

const folder = path.join(import.meta.dirname, "../../../test/agents/recordings");
const now = Date.parse("2026-11-16T18:30:00Z");

type Ended = Pick<AgentEnd, "exitCode" | "signal" | "wasTimedOut">;
type Recording = { readonly lines: readonly string[]; readonly stderr: string; readonly ended: Ended };

function readRecording(name: string, scene: string): Recording {
  const read = (file: string) => readFileSync(path.join(folder, name, scene, file), "utf8");
  return { lines: read("stdout.txt").split("\n"), stderr: read("stderr.txt"), ended: JSON.parse(read("end.json")) };
}

function play(name: string, { lines, stderr, ended }: Recording) {
  const { reader, judge } = requireBackend(name);
  const { line, heard } = reader();
  const events = lines.flatMap((each) => [...line(each)]);
  return { events, heard: heard(), verdict: judge({ ...ended, heard: heard(), stderr, timeZone: "UTC" }, now) };
}

type Row = readonly [name: BackendName, scene: string, kind: Verdict["kind"], why: RegExp];
const rows: readonly Row[] = [
  ["claude", "ok", "ok", /^$/],
  ["claude", "ok-resumed", "ok", /^$/],
  ["claude", "401", "refused", /Invalid API key/],
  ["claude", "404", "refused", /./],
  ["claude", "no-key", "refused", /./],
  ["claude", "429", "transient", /429/],
  ["claude", "quota", "refused", /quota/],
  ["claude", "500", "transient", /500/],
  ["claude", "reset", "transient", /./],
  ["claude", "hang", "failed", /silent/],
  ["codex", "ok", "ok", /^$/],
  ["codex", "ok-resumed", "ok", /^$/],
  ["codex", "401", "refused", /status 401/],
  ["codex", "404", "refused", /not found/],
  ["codex", "429", "transient", /429/],
  ["codex", "quota", "refused", /Quota exceeded/],
  ["codex", "500", "transient", /500|high demand/],
  ["codex", "reset", "transient", /./],
  ["codex", "hang", "failed", /silent/],
  ["gemini", "ok", "ok", /^$/],
  ["gemini", "ok-resumed", "ok", /^$/],
  ["gemini", "401", "refused", /invalid x-api-key/],
  ["gemini", "404", "refused", /not found/],
  ["gemini", "no-key", "refused", /./],
  ["gemini", "429", "transient", /rate limited/],
  ["gemini", "quota", "refused", /quota/],
  ["gemini", "500", "transient", /internal error/],
  ["gemini", "reset", "transient", /./],
  ["gemini", "hang", "failed", /silent/],
  ["opencode", "ok", "ok", /^$/],
  ["opencode", "ok-resumed", "ok", /^$/],
  ["opencode", "401", "refused", /invalid x-api-key/],
  ["opencode", "404", "refused", /not found/],
  ["opencode", "429", "transient", /rate limited/],
  ["opencode", "quota", "refused", /quota/],
  ["opencode", "500", "transient", /internal error/],
  ["opencode", "reset", "transient", /./],
  ["opencode", "hang", "failed", /silent/],
  ["acp", "gemini-ok", "ok", /^$/],
  ["acp", "gemini-rejected", "ok", /^$/],
  ["acp", "gemini-401", "refused", /invalid x-api-key/],
  ["acp", "opencode-ok", "ok", /^$/],
  ["acp", "opencode-401", "refused", /invalid x-api-key/],
];

test.each(rows)("%s, %s: %s", (name, scene, kind, why) => {
  const { verdict } = play(name, readRecording(name, scene));
  expect(verdict.kind).toBe(kind);
  expect(verdict.kind === "ok" ? "" : verdict.why).toMatch(why);
});

test("every recording has a row", () => {
  const names = readdirSync(folder);
  const scenes = names.flatMap((name) => readdirSync(path.join(folder, name)).map((scene) => `${name}/${scene}`));
  expect(scenes.toSorted()).toEqual(rows.map(([name, scene]) => `${name}/${scene}`).toSorted());
});

const names: readonly BackendName[] = ["claude", "codex", "gemini", "opencode"];

/** In the lab each of two calls takes 1,200 tokens, 200 of them from the cache, and gives 34. Claude does not count those as input. */
test.each(names)("%s tells its session, its last words and its tokens", (name) => {
  const { heard, events } = play(name, readRecording(name, "ok"));
  expect(heard.text).toBe("All done: the DONE marker is written.");
  expect(heard.session).toMatch(name === "opencode" ? /^ses_\w+$/ : /^0{8}-/);
  const input = name === "claude" ? 2_400 : 2_000;
  expect(heard.tokens).toEqual({ input, cacheRead: 400, cacheWrite: 0, output: 68, reasoning: 0 });
  expect(events).toContainEqual(expect.objectContaining({ kind: "tool", status: "done" }));
});

test.each(["gemini", "opencode"])("%s tells the same by the protocol", (name) => {
  const { heard, events } = play("acp", readRecording("acp", `${name}-ok`));
  expect(heard).toMatchObject({ text: "All done: the DONE marker is written.", costUsd: null });
  // opencode tells the tokens of its last call only, gemini nothing of the cache.
  expect(heard.tokens).toMatchObject(
    name === "gemini" ? { input: 2_400, output: 68 } : { input: 1_000, cacheRead: 200, output: 34 },
  );
  expect(events).toContainEqual(expect.objectContaining({ kind: "tool", status: "done" }));
});

test("a session that is gone on with costs what this run cost, or says that it counts the whole", () => {
  const cost = play("claude", readRecording("claude", "ok")).heard.costUsd;
  expect(play("claude", readRecording("claude", "ok-resumed")).heard.costUsd).toBe(cost);
  for (const name of names) {
    const { heard } = play(name, readRecording(name, "ok-resumed"));
    expect(heard.isSessionTotal).toBe(name === "codex");
    expect(heard.tokens?.output).toBe(name === "codex" ? 136 : 68);
  }
});

test("claude and codex tell that they try again", () => {
  expect(play("claude", readRecording("claude", "500")).events).toContainEqual(
    expect.objectContaining({ kind: "retry", status: 500 }),
  );
  expect(play("codex", readRecording("codex", "500")).heard.retries).toBeGreaterThan(0);
});

/** The same events otherwise written: keys in another order, other programs' lines and events that are not known in between. */
const foreign = [
  "",
  "Debugger attached.",
  '{"type":"brand_new_event","session_id":"x"}',
  "{",
  "\u001b[33mwarning\u001b[0m",
  "[1]",
];
const reversed = (value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .map(([key, each]) => [key, reversed(each)] as const)
          .toReversed(),
      )
    : value;

test.each(rows)("%s, %s: the order of keys and foreign lines change nothing", (name, scene) => {
  const recording = readRecording(name, scene);
  const lines = recording.lines.flatMap((line, at) => {
    const value = readJson(line);
    return [foreign[at % foreign.length] ?? "", isRecord(value) ? JSON.stringify(reversed(value)) : line];
  });
  const [expected, played] = [play(name, recording), play(name, { ...recording, lines })];
  expect(played.heard).toEqual(expected.heard);
  expect(played.verdict).toEqual(expected.verdict);
  expect(played.events.map(({ kind }) => kind)).toEqual(expected.events.map(({ kind }) => kind));
});

test.each(rows)("%s, %s: cut off anywhere it is never a success", async (name, scene) => {
  const recording = readRecording(name, scene);
  const text = recording.lines.join("\n").trimEnd();
  await fc.assert(
    fc.property(fc.nat(Math.max(text.length - 2, 0)), (length) => {
      const { verdict } = play(name, { ...recording, lines: text.slice(0, length).split("\n") });
      expect(verdict.kind).not.toBe("ok");
    }),
    { numRuns: 50 },
  );
});
