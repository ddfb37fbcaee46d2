// Bytes in pieces of any size become lines. Memory is bounded: of a line that is too long the beginning is kept.

import { StringDecoder } from "node:string_decoder";

/** Agents print pictures as lines of 10 MB. */
const lineMax = 16 * 1024 * 1024;

const newline = 10;

export type LineSplitter = {
  readonly push: (chunk: Buffer) => readonly string[];
  /** The last line, where it was not ended. */
  readonly end: () => readonly string[];
};

export function splitLines(max = lineMax): LineSplitter {
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];
  let length = 0;
  const keep = (text: string) => {
    const room = max - length;
    if (room <= 0 || text === "") return;
    parts.push(text.length > room ? text.slice(0, room) : text);
    length += Math.min(text.length, room);
  };
  const take = (): string => {
    const line = parts.join("");
    parts = [];
    length = 0;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  };
  return {
    push: (chunk) => {
      // Nothing of it would be kept: what ends the line is all that matters.
      if (length >= max && !chunk.includes(newline)) return [];
      const [first = "", ...more] = decoder.write(chunk).split("\n");
      const lines: string[] = [];
      keep(first);
      for (const text of more) {
        lines.push(take());
        keep(text);
      }
      return lines;
    },
    end: () => {
      keep(decoder.end());
      return length === 0 ? [] : [take()];
    },
  };
}

/** The last lines of a text that comes in pieces. */
export function keepLastLines(count: number, lineLengthMax = 2_000) {
  let lines: string[] = [];
  return {
    add: (line: string) => {
      lines.push(line.length > lineLengthMax ? `${line.slice(0, lineLengthMax).toWellFormed()}…` : line);
      if (lines.length > count * 2) lines = lines.slice(-count);
    },
    text: () => lines.slice(-count).join("\n").toWellFormed(),
  };
}
