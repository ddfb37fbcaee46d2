// A file of JSON lines that is only ever added to. A crash may tear the last line: it is dropped, and the next line takes its place.

import { AppError } from "../lib/app-error.ts";
import type { Disk } from "./disk.ts";

export type Lines<T> = {
  readonly values: readonly T[];
  /** Bytes up to the end of the last whole line: where the next one begins. */
  readonly end: number;
};

const newline = 0x0a;

export function readLines<T>(disk: Disk, file: string, parse: (value: unknown) => T): Lines<T> {
  const bytes = disk.read(file) ?? Buffer.alloc(0);
  const values: T[] = [];
  let end = 0;
  for (let next = bytes.indexOf(newline); next !== -1; next = bytes.indexOf(newline, end)) {
    const value = parseLine(bytes.toString("utf8", end, next));
    // After a power failure the last line may be there in length and not in content.
    if (value === undefined && bytes.indexOf(newline, next + 1) === -1) break;
    if (value === undefined)
      throw new AppError("internal", `${file} is damaged in line ${values.length + 1}; restore it from a copy`);
    values.push(parse(value));
    end = next + 1;
  }
  return { values, end };
}

export const toLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
