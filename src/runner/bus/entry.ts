// One message of a bus as it stands in the file: a YAML header between two lines of three dashes, then the body.
//
// So that any body comes back byte for byte and a reader can begin anywhere, lines of a body that begin with `---` or `msg_id:` get a
// backslash in front (one more where some are there already), and the header ends with `body_bytes`, the length of the body as it is
// written. A header of ours begins with `msg_id`: a line `---` followed by one that begins with `msg_id:` is always a new message.

import { AppError } from "../../lib/app-error.ts";
import {
  anyOf,
  anything,
  changed,
  count,
  lenient,
  list,
  name,
  object,
  optional,
  orElse,
  record,
  type Shape,
  text,
  tryFit,
} from "../../lib/shape.ts";
import { toScalar } from "../layout/plain-yaml.ts";
import { parseMapping } from "../layout/yaml-file.ts";

export type BusParent = {
  readonly msg_id: string;
  readonly kind: string;
  readonly meta?: Readonly<Record<string, string>> | undefined;
};
export type BusLink = { readonly url: string; readonly label?: string | undefined; readonly kind?: string | undefined };

export type BusHeader = {
  readonly msg_id: string;
  /** ISO 8601, UTC; empty where an old entry has none. */
  readonly ts: string;
  readonly type: string;
  readonly project_id: string;
  readonly task_id: string;
  readonly run_id: string;
  readonly parents: readonly BusParent[];
  /** A file beside the bus that has the whole body; empty: the body is all there is. */
  readonly attachment_path: string;
  readonly issue_id: string;
  readonly links: readonly BusLink[];
  readonly meta: Readonly<Record<string, string>>;
};
export type BusEntry = BusHeader & { readonly body: string };

const headerMax = 32 * 1024;

/** A line of a body that could be taken for the beginning of a message, or that is such a line with backslashes in front. */
const markedLine = /(?<![^\n])(\\*)(---|msg_id:)/g;

export const escapeBody = (body: string): string => body.replaceAll(markedLine, "\\$1$2");
export const unescapeBody = (escaped: string): string =>
  escaped.replaceAll(markedLine, (line, slashes: string) => (slashes === "" ? line : line.slice(1)));

export function formatEntry({ body, ...header }: BusEntry): string {
  const escaped = escapeBody(body);
  const parents = header.parents.map(({ msg_id: id, kind, meta }) =>
    kind === "reply" && meta === undefined ? id : { msg_id: id, kind, meta },
  );
  const values = { ...header, parents, body_bytes: Buffer.byteLength(escaped) };
  const lines = Object.entries(values).flatMap(([key, value]) =>
    isEmpty(value) ? [] : [`${key}: ${toScalar(value)}`],
  );
  const head = `---\n${lines.join("\n")}\n---\n`;
  if (head.length > headerMax)
    throw new AppError(
      "too_large",
      `The header of a message may have ${headerMax} bytes. Move some of it to the body.`,
    );
  return `${head}${escaped}\n`;
}

const isEmpty = (value: unknown): boolean =>
  value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

const words = lenient(text, "");
const short: Shape<string> = (value) => {
  const fit = name(value);
  return fit.ok && fit.value.length > 200 ? { ok: false, at: "", why: "expected at most 200 characters" } : fit;
};
const texts = record(text);
const parentShape: Shape<BusParent> = anyOf(
  changed(name, (id) => ({ msg_id: id, kind: "reply" })),
  object({ msg_id: name, kind: orElse(name, "reply"), meta: lenient(texts, undefined) }),
);
const linkShape = object({ url: text, label: optional(text), kind: optional(text) });
/** What is not as it should be in one of these is left out; the rest of the message is still good. */
const listOf = <T>(shape: Shape<T>): Shape<readonly T[]> =>
  changed(lenient(list(anything), []), (values) => values.flatMap((value) => tryFit(shape, value) ?? []));

const headerShape = object({
  msg_id: short,
  ts: words,
  type: short,
  project_id: words,
  task_id: words,
  run_id: words,
  parents: listOf(parentShape),
  attachment_path: words,
  issue_id: words,
  links: listOf(linkShape),
  meta: lenient(texts, {}),
  body_bytes: lenient(count, null),
});

export type ParsedHeader = { readonly header: BusHeader; readonly bodyBytes: number | null };

/** Null: this is not the header of a message. */
export function parseHeader(head: string): ParsedHeader | null {
  if (head.length > headerMax) return null;
  const raw = parseMapping(head.replace(/\r$/, ""));
  if (raw === null) return null;
  // Names of the first generation.
  const named = { project_id: raw.project, task_id: raw.task, ...raw };
  const fit = headerShape(named);
  if (!fit.ok) return null;
  const { body_bytes: bodyBytes, ...header } = fit.value;
  return { header, bodyBytes };
}
