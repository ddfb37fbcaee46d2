// Strings of others as arguments, addresses and files of a command. An option and its value are one argument, so that a value
// that looks like an option stays a value.

import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { quote } from "../layout/ids.ts";

/** `--model=x`; none where there is no value. */
export const option = (name: string, value: string | null): readonly string[] =>
  value === null ? [] : [`${name}=${checkValue(name, value)}`];

/** No program can be given these. */
export function checkValue(what: string, value: string): string {
  if (value === "" || value.includes("\0") || !value.isWellFormed())
    throw new AppError("invalid_request", `${quote(value)} cannot be used as ${what}.`);
  return value;
}

/** An HTTP address without a slash at its end. */
export function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || /[?#]/.test(text))
    throw new AppError(
      "invalid_request",
      `${quote(text)} is not a base URL. Use one that begins with http:// or https://.`,
    );
  return url.href.replace(/\/+$/, "");
}

/** Keys without a value are left out. */
export function setVariables(given: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> {
  const set = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(set.map(([name, value]) => [name, checkValue(name, value)]));
}

export const inOwn = (ownFolder: string, ...names: readonly string[]): string => path.join(ownFolder, ...names);
