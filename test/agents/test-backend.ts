// A backend for tests of the job: any program, prompt on stdin. A line of JSON with `end` is its terminal event.

import { isRecord, readJson } from "../../src/lib/json.ts";
import type { Backend, Heard } from "../../src/runner/backends/backend.ts";

const silence: Heard = {
  session: null,
  end: null,
  text: "",
  speech: [],
  tokens: null,
  costUsd: null,
  isSessionTotal: false,
  retries: 0,
  error: null,
  limit: null,
};

export const testBackend: Backend = {
  name: "command",
  keyVariable: "TEST_AGENT_KEY",
  command: ({ program, ownFolder, token }) => ({
    file: program[0] ?? "",
    args: program.slice(1),
    env: { TEST_OWN_FOLDER: ownFolder, JRUN_ID: "forged", ...(token === null ? {} : { TEST_AGENT_KEY: token }) },
    lets: ["TEST_LET", "CLAUDECODE"],
    stdin: "prompt",
    folders: [],
    files: [{ path: `${ownFolder}/settings.json`, text: "{}" }],
  }),
  reader: () => {
    let heard = silence;
    return {
      line: (text) => {
        if (text === "trip the reader") throw new Error("a reader that stumbles");
        const value = readJson(text);
        if (isRecord(value) && "end" in value) heard = { ...heard, ...(value as Partial<Heard>) };
        return [];
      },
      heard: () => heard,
    };
  },
  judge: ({ exitCode, heard, wasTimedOut }) => {
    if (heard.limit?.isRejected) return { kind: "transient", why: heard.limit.why, notBeforeMs: heard.limit.untilMs };
    if (heard.end?.isError) return { kind: "refused", why: heard.end.why };
    if (exitCode === 0 && !wasTimedOut) return { kind: "ok" };
    return { kind: "failed", why: "" };
  },
  version: null,
};
