// Which messages a reader wants: by type (`QUESTION,ANSWER`, `RUN_*`), or by a regular expression over `TYPE: body`. Expressions come from
// people and agents, and some never end, so they are tried in a context that is interrupted after a moment.

import vm from "node:vm";
import { AppError } from "../../lib/app-error.ts";
import { quote } from "../layout/ids.ts";
import type { BusEntry } from "./entry.ts";

const filterMax = 500;
/** For one message; a body has at most 64 kB, which a sound expression searches in a few milliseconds. */
const trialMs = 200;

export function makeFilter(text: string): (entry: BusEntry) => boolean {
  if (text.length > filterMax) throw new AppError("invalid_request", `A filter may have ${filterMax} characters.`);
  if (text.trim() === "") return () => true;
  return /^[A-Za-z0-9_*, ]+$/.test(text) ? filterByTypes(text) : filterByPattern(text);
}

function filterByTypes(text: string): (entry: BusEntry) => boolean {
  const wanted = text
    .toUpperCase()
    .split(",")
    .map((each) => each.trim());
  return ({ type }) => wanted.some((each) => matchesType(each, type.toUpperCase()));
}

/** `*` stands for anything, at the end of a type only. */
const matchesType = (wanted: string, type: string): boolean =>
  wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;

function filterByPattern(pattern: string): (entry: BusEntry) => boolean {
  const context = vm.createContext({ text: "", pattern }, { codeGeneration: { strings: false, wasm: false } });
  try {
    vm.runInContext("const expression = new RegExp(pattern, 'u');", context);
  } catch {
    throw new AppError("invalid_request", `${quote(pattern)} is neither a list of types nor a regular expression.`);
  }
  const trial = new vm.Script("expression.test(text)");
  return ({ type, body }) => {
    context.text = `${type}: ${body}`;
    try {
      return trial.runInContext(context, { timeout: trialMs }) === true;
    } catch {
      throw new AppError("unprocessable", `The filter ${quote(pattern)} takes too long. Use a simpler expression.`);
    }
  };
}
