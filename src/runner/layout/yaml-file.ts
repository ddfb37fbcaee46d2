// Small YAML files of the runner. What others wrote is parsed with limits and never trusted to be complete.

import { createRequire } from "node:module";
import { readPlain, writePlain } from "./plain-yaml.ts";
import type { TextRead } from "./text.ts";

export type YamlRead =
  | { readonly kind: "mapping"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly why: string };

/** A file of ours has a few kilobytes; more is someone else's. */
const yamlMax = 256 * 1024;

/** Loaded where a file is not as we write them: a process that starts an agent seldom meets one. */
const loadYaml = (): typeof import("yaml") => createRequire(import.meta.url)("yaml");

export function readYaml(file: string, read: TextRead): YamlRead {
  if (read.kind !== "text") return read;
  if (read.text.length > yamlMax) return { kind: "unreadable", why: `${file} is too large to be read.` };
  const value = parseMapping(read.text);
  return value === null ? { kind: "unreadable", why: `${file} is torn or not YAML.` } : { kind: "mapping", value };
}

export function parseMapping(text: string): Readonly<Record<string, unknown>> | null {
  const plain = readPlain(text);
  if (plain !== null) return plain;
  try {
    const value: unknown = loadYaml().parse(text, { maxAliasCount: 0, logLevel: "error" });
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Keys without a value are left out. */
export const toYaml = writePlain;
