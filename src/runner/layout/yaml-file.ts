// Small YAML files of the runner. Agents and people write them too, so they are bounded before they are read and never trusted to be
// complete.

import { isRecord } from "../../lib/json.ts";
import { parseYaml } from "../../lib/yaml/parse-yaml.ts";
import { writePlain } from "./plain-yaml.ts";
import { readText, type TextRead } from "./text.ts";
import type { TreeDisk } from "./tree-disk.ts";

export type YamlRead =
  | { readonly kind: "mapping"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly why: string };

/** Bytes. A file of ours has a few kilobytes; more is someone else's. */
const yamlMax = 256 * 1024;

export const readYaml = (disk: TreeDisk, file: string): YamlRead => toMapping(file, readYamlText(disk, file));

/** For a reader that remembers what it made of the same text. */
export const readYamlText = (disk: TreeDisk, file: string): TextRead => readText(disk, file, yamlMax);

export function toMapping(file: string, read: TextRead): YamlRead {
  if (read.kind !== "text") return read;
  const found = parseYaml(read.text);
  if (found.kind === "fault")
    return { kind: "unreadable", why: `${file} is torn or not YAML: line ${found.line}: ${found.why}` };
  return isRecord(found.value)
    ? { kind: "mapping", value: found.value }
    : { kind: "unreadable", why: `${file} is torn or not YAML: it has no keys.` };
}

/** Null: this is no mapping. */
export function parseMapping(text: string): Readonly<Record<string, unknown>> | null {
  const found = parseYaml(text);
  return found.kind === "value" && isRecord(found.value) ? found.value : null;
}

/** Keys without a value are left out. */
export const toYaml = writePlain;
