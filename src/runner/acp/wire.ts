// The lines between us and an agent that speaks the Agent Client Protocol. The SDK answers every line that is no JSON with an error and
// closes at a line that is too long; agents print warnings and pictures, so lines are read here and only messages are passed on.

import type { Readable, Writable } from "node:stream";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { isRecord, readJson } from "../../lib/json.ts";
import { splitLines } from "../job/lines.ts";

export type WireEars = {
  /** What a `session/update` says; of whichever kind, so that a newer agent does not end the session. */
  readonly update: (params: unknown) => void;
  /** A line that is no message. */
  readonly noise: (line: string) => void;
};

export function openWire(output: Readable, input: Writable, ears: WireEars): Stream {
  // Without this an agent that has gone away would end us, too; the write itself tells of it.
  input.on("error", () => {});
  return {
    readable: new ReadableStream<AnyMessage>({ start: (controller) => void readAll(output, ears, controller) }),
    writable: new WritableStream<AnyMessage>({ write: (message) => send(input, message) }),
  };
}

async function readAll(
  output: Readable,
  ears: WireEars,
  controller: ReadableStreamDefaultController<AnyMessage>,
): Promise<void> {
  const lines = splitLines();
  const take = (texts: readonly string[]) => {
    for (const text of texts) takeLine(text, ears, controller);
  };
  try {
    for await (const chunk of output) take(lines.push(Buffer.from(chunk)));
    take(lines.end());
  } catch {
    // A broken pipe is an end, too.
  }
  try {
    controller.close();
  } catch {
    // The connection was closed from our side.
  }
}

function takeLine(text: string, ears: WireEars, controller: ReadableStreamDefaultController<AnyMessage>): void {
  if (text.trim() === "") return;
  const message = readJson(text);
  if (!isMessage(message)) ears.noise(text);
  else if (message.method === "session/update" && !("id" in message)) ears.update(message.params);
  else controller.enqueue(message as AnyMessage);
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && value.jsonrpc === "2.0" && ("method" in value || "result" in value || "error" in value);
}

const send = (input: Writable, message: AnyMessage): Promise<void> =>
  new Promise((done, failed) => {
    input.write(`${JSON.stringify(message)}\n`, (error) => (error ? failed(error) : done()));
  });
