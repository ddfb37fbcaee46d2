// The YAML that our own files are written in: a key and a value on each line, a mapping below its key, and everything that is not plain
// as JSON, which YAML is a superset of.

import { isRecord } from "../../lib/json.ts";

const plainKey = /^[A-Za-z][\w-]*$/;
/** Words that YAML takes for something else than text are quoted. */
const plainText = /^(?!(?:true|false|yes|no|on|off|null|y|n)$)[A-Za-z/][\w./-]*(?: [\w./-]+)*$/i;
/** Times, and ids that begin with one. */
const plainTime = /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z|\d{8}-\d{6,20}-\d{1,20})$/;
/** Characters that YAML does not take as they are, and JSON does. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Keys without a value are left out. */
export function writePlain(value: Readonly<Record<string, unknown>>, indent = ""): string {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  if (entries.length === 0) return indent === "" ? "{}\n" : "";
  return entries
    .map(([key, each]) => {
      const head = `${indent}${plainKey.test(key) ? key : toJson(key)}:`;
      return isRecord(each) && Object.keys(each).length > 0
        ? `${head}\n${writePlain(each, `${indent}  `)}`
        : `${head} ${toScalar(each)}\n`;
    })
    .join("");
}

export function toScalar(value: unknown): string {
  return typeof value === "string" && (plainText.test(value) || plainTime.test(value)) ? value : toJson(value);
}

const toJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(unprintable, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
