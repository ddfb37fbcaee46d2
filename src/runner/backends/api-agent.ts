// What the backends over HTTP have in common: our own program that asks the endpoint, and the lines it prints.

import { fileURLToPath } from "node:url";
import type { ApiProtocol } from "./api-answer.ts";
import { setVariables } from "./arguments.ts";
import type { AgentCommand, AgentEvent, OutputReader } from "./backend.ts";
import { at, type Fields, listAt, numberAt, readEvents, statusAt, textAt } from "./read-event.ts";
import { keepTranscript, type Transcript } from "./transcript.ts";

const program = fileURLToPath(new URL("../../../bin/ask-api.js", import.meta.url));

/** How the question reaches the program; all of it is in the environment, nothing in the arguments. */
export const apiVariables = {
  url: "ASK_API_URL",
  protocol: "ASK_API_PROTOCOL",
  keyVariable: "ASK_API_KEY_VARIABLE",
  body: "ASK_API_BODY",
} as const;

export type ApiCommand = {
  readonly url: string;
  readonly protocol: ApiProtocol;
  readonly keyVariable: string;
  readonly token: string | null;
  readonly body: Fields;
};

export const makeApiCommand = ({ url, protocol, keyVariable, token, body }: ApiCommand): AgentCommand => ({
  file: process.execPath,
  args: [program],
  env: setVariables({
    [apiVariables.url]: url,
    [apiVariables.protocol]: protocol,
    [apiVariables.keyVariable]: keyVariable,
    [apiVariables.body]: JSON.stringify(body),
    [keyVariable]: token,
    // Node looks at the proxy of the environment only when told so.
    NODE_USE_ENV_PROXY: "1",
  }),
  lets: token === null ? [keyVariable] : [],
  stdin: "prompt",
  folders: [],
  files: [],
});

export function readApiLines(): OutputReader {
  const transcript = keepTranscript();
  return {
    line: (text) => readEvents(text).flatMap((event) => readEvent(transcript, event)),
    heard: transcript.heard,
  };
}

function readEvent(transcript: Transcript, event: Fields): readonly AgentEvent[] {
  switch (event.type) {
    case "text":
      return transcript.say(textAt(event, "text"), true);
    case "sources": {
      const lines = listAt(event, "sources").map((source) => `- ${textAt(source, "title")} ${textAt(source, "url")}`);
      return transcript.say(`\n\nSources\n${lines.map((line) => line.replaceAll(/\s+/g, " ")).join("\n")}`, true);
    }
    case "usage":
      transcript.use(
        {
          input: numberAt(event, "input"),
          cacheRead: numberAt(event, "cacheRead"),
          cacheWrite: 0,
          output: numberAt(event, "output"),
          reasoning: numberAt(event, "reasoning"),
        },
        typeof at(event, "costUsd") === "number" ? numberAt(event, "costUsd") : null,
      );
      return [];
    case "end": {
      const isError = event.isError !== false;
      transcript.end({ isError, why: textAt(event, "why") });
      return isError ? transcript.error(textAt(event, "why"), statusAt(event, "status")) : [];
    }
    default:
      return [];
  }
}
