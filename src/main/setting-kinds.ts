// What a value of a setting can be: whole numbers, words, addresses. Each says what it must be.

import { z } from "zod";

export const whole = (min: number, max: number) =>
  z
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, wholeMessage(min, max))
    .max(max, wholeMessage(min, max));
const wholeMessage = (min: number, max: number) => `must be a whole number from ${min} to ${max}`;

export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(", ")}`);

export const yesOrNo = z.boolean("must be true or false");
export const words = z.string("must be text").min(1, "must not be empty");

export const databaseUrl = words.refine(
  (value) => ["postgres:", "postgresql:"].includes(urlOf(value)?.protocol ?? ""),
  "must look like postgres://user:password@host:5432/name",
);

export const origin = words
  .refine((value) => {
    const url = urlOf(value);
    return url !== null && ["http:", "https:"].includes(url.protocol) && `${url.origin}/` === url.href;
  }, "must be an origin such as https://homework.example.com, without a path")
  .transform((value) => new URL(value).origin);

/** Without a user and a password: keys have settings of their own. */
export const apiAddress = words
  .refine((value) => {
    const url = urlOf(value);
    if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
    return [url.username, url.password, url.search, url.hash].every((part) => part === "");
  }, "must be an address such as https://models.example.com/v1")
  .transform((value) => value.replace(/\/+$/, ""));

export const hostName = words.regex(
  /^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i,
  "must be host names such as homework.lan",
);

/** An address to listen on, or a name for one. */
export const host = words.regex(/^[0-9a-z.:_-]+$/i, "must be an address or a host name, without http:// and port");

function urlOf(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}
