// The real logger: lines for people on stderr, or JSON for programs. Secrets have no way in: requests are not logged whole.

import { inspect } from "node:util";
import { pino } from "pino";
import type { LogFields, Logger } from "../lib/logger.ts";
import type { Config } from "./config-schema.ts";

const write = { write: (line: string) => void process.stderr.write(line) };

export function createLogger({
  log_level: level,
  log_format: format,
}: Pick<Config, "log_level" | "log_format">): Logger {
  if (format === "json")
    return pino({ level, base: { pid: process.pid }, serializers: { error: pino.stdSerializers.errWithCause } }, write);
  const levels = ["debug", "info", "warn", "error"] as const;
  const log = (name: keyof Logger) => (fields: LogFields, message: string) => {
    if (levels.indexOf(name) < levels.indexOf(level)) return;
    write.write(`${new Date().toISOString().slice(11, 19)} ${name.padEnd(5)} ${message}${describe(fields)}\n`);
  };
  return { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
}

function describe(fields: LogFields): string {
  const { error, ...rest } = fields;
  const words = Object.entries(rest).map(
    ([name, value]) => ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return words.join("") + (error === undefined ? "" : `\n${errorText(error)}`);
}

/** The whole chain of causes: the first one alone often says little. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return `  ${inspect(error)}`;
  const cause = error.cause === undefined ? "" : `\n  caused by:\n${errorText(error.cause)}`;
  return `  ${error.stack ?? error.message}${cause}`;
}
