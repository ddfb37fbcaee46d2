// How a dump stands in its file: gzipped JSON lines, a header, each table and its rows, each sequence, an end that counts the rows. Lines are
// bounded before they are read, for a file may come from anywhere.

import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { AppError } from "../lib/app-error.ts";
import { newestVersion } from "./migrate.ts";

export const format = "homework-dump-2";
/** Of 0.4.0 and before: JSON values as they are, no sequences. */
const formerFormat = "homework-dump-1";

/** Far more than the largest row, and what PostgreSQL can still take as one value. */
export const lineBytesMax = 128 * 1024 * 1024;

const headerShape = z.object({ format: z.enum([format, formerFormat]), schema_version: z.number().int() });

export type Header = { readonly schemaVersion: number; readonly isFormer: boolean };

const markShape = z.union([
  z.strictObject({ table: z.string() }),
  z.strictObject({ sequence: z.string(), next: z.string().regex(/^-?\d{1,19}$/) }),
  z.strictObject({ end: z.literal(true), rows: z.number() }),
]);

export type Mark = z.infer<typeof markShape>;

export const damaged = (why: string) => new AppError("invalid_request", `This dump cannot be used: ${why}`);

export const lineOf = (mark: Mark | { readonly format: typeof format; readonly schema_version: number }): string =>
  `${JSON.stringify(mark)}\n`;

export function readHeader(line: string | undefined): Header {
  const parsed = headerShape.safeParse(parseLine(line ?? ""));
  if (!parsed.success) throw damaged("it does not begin like one");
  const { schema_version: schemaVersion } = parsed.data;
  if (schemaVersion === newestVersion()) return { schemaVersion, isFormer: parsed.data.format === formerFormat };
  throw new AppError(
    schemaVersion > newestVersion() ? "schema_newer" : "schema_older",
    `The dump has schema ${schemaVersion}, this program has ${newestVersion()}: restore it with the program that made it, then upgrade`,
  );
}

const markBeginnings = ['{"table":', '{"sequence":', '{"end":'];

/** Lines between the rows: the next table, a sequence, or the end. A row of ours always has other columns than these. */
export function markOf(line: string): Mark | null {
  if (line.length > 200 || !markBeginnings.some((beginning) => line.startsWith(beginning))) return null;
  const parsed = markShape.safeParse(parseLine(line));
  return parsed.success ? parsed.data : null;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** The lines of a dump, one after the other. */
export async function* linesOf(file: string, bytesMax = lineBytesMax): AsyncGenerator<string> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip());
  source.on("error", (error) => text.destroy(error));
  try {
    yield* splitLines(text, bytesMax);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new AppError("not_found", `There is no file ${file}`, { cause });
    throw damaged(`it is not a dump of ours, or damaged (${code ?? "unreadable"})`);
  } finally {
    source.destroy();
  }
}

const newline = 0x0a;

async function* splitLines(text: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of text) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end)]).toString("utf8");
      begun = [];
      bytes = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    begun.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > bytesMax) throw damaged(`a line of it is longer than ${bytesMax / 1024 ** 2} MB`);
  }
  if (bytes > 0) yield Buffer.concat(begun).toString("utf8");
}
