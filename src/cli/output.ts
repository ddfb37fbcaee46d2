// How a command speaks: data on stdout, words on stderr; with --json one JSON value instead of either.

import { styleText } from "node:util";
import type { Instant } from "../lib/env.ts";
import { escapeControls, onlyColours, withoutEscapes } from "./plain-text.ts";
import type { Host } from "./ports.ts";
import { type Column, renderFields, renderTable } from "./table.ts";
import { relativeTime } from "./time-words.ts";

export type OutputOptions = {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly verbose: boolean;
};

type Style = "bold" | "dim" | "italic" | "underline" | "strikethrough" | "green" | "yellow" | "red" | "cyan";

export type Output = {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Ids and the like are wanted. */
  readonly isVerbose: boolean;
  readonly hasColor: boolean;
  /** The data of the command: `value` with --json, else what `render` makes of it for people. */
  readonly data: (value: unknown, render: () => string) => void;
  /** One of many values that come one after the other: a line each. */
  readonly line: (value: unknown, render: () => string) => void;
  /** The thing that a command made or changed; for people what was done, and its id as data. */
  readonly done: (thing: { readonly id: string }, what: string) => void;
  /** A word about what happened; not with --json or --quiet. */
  readonly say: (text: string) => void;
  /** Something the user has to know; not with --json. */
  readonly warn: (text: string) => void;
  readonly table: <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => string;
  readonly fields: (fields: readonly (readonly [string, string])[]) => string;
  /** Markdown and the like: exactly as it is, unless it goes to a terminal that it could steer. */
  readonly text: (text: string) => string;
  readonly ago: (timestamp: string) => string;
  readonly now: () => number;
  readonly paint: (style: Style, text: string) => string;
};

export function createOutput(host: Pick<Host, "terminal" | "env" | "timeZone">, options: OutputOptions): Output {
  const { terminal } = host;
  const hasColor = options.color && terminal.hasColor;
  const paint = (style: Style, text: string) => (hasColor ? styleText(style, text, { validateStream: false }) : text);
  const out = (text: string) => terminal.out(terminal.columns === null ? text : onlyColours(text));
  const data: Output["data"] = (value, render) =>
    options.json ? terminal.out(`${escapeControls(JSON.stringify(value, null, 2))}\n`) : out(render());
  const say: Output["say"] = (text) => {
    if (!options.json && !options.quiet) terminal.say(`${onlyColours(text)}\n`);
  };
  return {
    isJson: options.json,
    isQuiet: options.quiet,
    isVerbose: options.verbose,
    hasColor,
    data,
    done: (thing, what) => {
      say(what);
      data(thing, () => `${thing.id}\n`);
    },
    line: (value, render) =>
      options.json ? terminal.out(`${escapeControls(JSON.stringify(value))}\n`) : out(`${render()}\n`),
    say,
    warn: (text) => {
      if (!options.json) terminal.say(`${onlyColours(text)}\n`);
    },
    table: (rows, columns) =>
      renderTable(rows, columns, { columns: terminal.columns, heading: (text) => paint("dim", text) }),
    fields: renderFields,
    text: (text) => withFinalNewline(terminal.columns === null ? text : withoutEscapes(text)),
    ago: (timestamp) => relativeTime(timestamp, host.env.now() as Instant, host.timeZone),
    now: () => host.env.now(),
    paint,
  };
}

function withFinalNewline(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
