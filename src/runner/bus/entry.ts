// One message of a bus as it stands in the file: a YAML header between two lines of three dashes, then the body.
//
// So that any body comes back byte for byte and a reader can begin anywhere, lines of a body that begin with `---` or `msg_id:` get a
// backslash in front (one more where some are there already), and the header ends with `body_bytes`, the length of the body as it is
// written. A header of ours begins with `msg_id`: a line `---` followed by one that begins with `msg_id:` is always a new message.

import { z } from "zod";
import { AppError } from "../../lib/app-error.ts";
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
export const unescapeBody = (text: string): string =>
  text.replaceAll(markedLine, (line, slashes: string) => (slashes === "" ? line : line.slice(1)));

export function formatEntry({ body, ...header }: BusEntry): string {
  const text = escapeBody(body);
  const parents = header.parents.map(({ msg_id: id, kind, meta }) =>
    kind === "reply" && meta === undefined ? id : { msg_id: id, kind, meta },
  );
  const values = { ...header, parents, body_bytes: Buffer.byteLength(text) };
  const lines = Object.entries(values).flatMap(([key, value]) =>
    isEmpty(value) ? [] : [`${key}: ${toScalar(value)}`],
  );
  const head = `---\n${lines.join("\n")}\n---\n`;
  if (head.length > headerMax)
    throw new AppError(
      "too_large",
      `The header of a message may have ${headerMax} bytes. Move some of it to the body.`,
    );
  return `${head}${text}\n`;
}

const isEmpty = (value: unknown): boolean =>
  value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

/** Words that YAML would take for something else than text are quoted; JSON is YAML. */
const plainText = /^(?!(?:true|false|yes|no|on|off|null|y|n)$)[A-Za-z][A-Za-z0-9_./-]*$/i;
const plainTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const plainNumber = /^\d{1,15}$/;

function toScalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return plainText.test(value) || plainTime.test(value) ? value : JSON.stringify(value);
}

const words = z.string().catch("");
const parentSchema = z.union([
  z
    .string()
    .min(1)
    .transform((id): BusParent => ({ msg_id: id, kind: "reply" })),
  z.object({
    msg_id: z.string().min(1),
    kind: z.string().min(1).default("reply"),
    meta: z.record(z.string(), z.string()).optional().catch(undefined),
  }),
]);
const linkSchema = z.object({ url: z.string(), label: z.string().optional(), kind: z.string().optional() });
/** What is not as it should be in one of these is left out; the rest of the message is still good. */
const listOf = <T extends z.ZodType>(schema: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((values) => values.flatMap((value) => schema.safeParse(value).data ?? []));

const headerSchema = z.object({
  msg_id: z.string().min(1).max(200),
  ts: words,
  type: z.string().min(1).max(200),
  project_id: words,
  task_id: words,
  run_id: words,
  parents: listOf(parentSchema),
  attachment_path: words,
  issue_id: words,
  links: listOf(linkSchema),
  meta: z.record(z.string(), z.string()).catch({}),
  body_bytes: z.int().nonnegative().nullable().catch(null),
});

export type ParsedHeader = { readonly header: BusHeader; readonly bodyBytes: number | null };

/** Null: this is not the header of a message. */
export function parseHeader(text: string): ParsedHeader | null {
  if (text.length > headerMax) return null;
  const raw = parseLines(text) ?? parseMapping(text.replace(/\r$/, ""));
  if (raw === null) return null;
  // Names of the first generation.
  const named = { project_id: raw.project, task_id: raw.task, ...raw };
  const parsed = headerSchema.safeParse(named);
  if (!parsed.success) return null;
  const { body_bytes: bodyBytes, ...header } = parsed.data;
  return { header, bodyBytes };
}

/** Headers that we wrote are simple, and there may be a hundred thousand of them. Null: ask YAML. */
function parseLines(text: string): Readonly<Record<string, unknown>> | null {
  const values: Record<string, unknown> = {};
  for (const line of text.split("\n")) {
    const match = /^([a-z_]+): (\S.*)$/.exec(line);
    const [key, value] = [match?.[1], match?.[2]];
    if (key === undefined || value === undefined || Object.hasOwn(values, key)) return null;
    if (plainText.test(value) || plainTime.test(value)) values[key] = value;
    else if (plainNumber.test(value)) values[key] = Number(value);
    else {
      const json = parseJson(value);
      if (json === undefined) return null;
      values[key] = json;
    }
  }
  return values;
}

function parseJson(text: string): unknown {
  if (!/^["[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
