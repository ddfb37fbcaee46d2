// The program behind the backends over HTTP: the prompt on stdin, the rest in the environment, JSON lines on stdout. It is started
// by a job and ends with its answer.

import { isRecord, readJson } from "../lib/json.ts";
import { apiVariables } from "../runner/backends/api-agent.ts";
import { askApi } from "../runner/backends/ask-api.ts";

/** An endpoint that streams says something more often than this. */
const silenceMaxMs = 120_000;

const variable = (name: string): string => process.env[name] ?? "";

async function readPrompt(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function watchSilence() {
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(), silenceMaxMs).unref();
  let timer = start();
  const touch = () => {
    clearTimeout(timer);
    timer = start();
  };
  return { signal: controller.signal, touch };
}

const body = readJson(variable(apiVariables.body));
const isGood = await askApi(
  {
    url: variable(apiVariables.url),
    protocol: variable(apiVariables.protocol) === "responses" ? "responses" : "chat",
    key: variable(variable(apiVariables.keyVariable)) || null,
    prompt: await readPrompt(),
    body: isRecord(body) ? body : {},
  },
  { fetch, tell: (line) => process.stdout.write(`${JSON.stringify(line)}\n`), watch: watchSilence() },
);
process.exitCode = isGood ? 0 : 1;
