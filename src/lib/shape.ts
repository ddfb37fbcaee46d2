// Checks of what files and pipes hold, for processes that start often: zod takes longer to load than such a process to do its work.
// A shape reads a value into what it stands for, or says where it does not fit; keys it does not know are left out.

import { isRecord } from "./json.ts";

export type Fit<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly at: string; readonly why: string };
export type Shape<T> = (value: unknown) => Fit<T>;
export type ReadBy<S> = S extends Shape<infer T> ? T : never;

/** For what is our own to get right. */
export function mustFit<T>(shape: Shape<T>, value: unknown): T {
  const fit = shape(value);
  if (fit.ok) return fit.value;
  throw new Error(`${fit.at === "" ? "the value" : fit.at}: ${fit.why}`);
}

/** Null where it does not fit. */
export function tryFit<T>(shape: Shape<T>, value: unknown): T | null {
  const fit = shape(value);
  return fit.ok ? fit.value : null;
}

const fits = <T>(value: T): Fit<T> => ({ ok: true, value });
const misfit = (why: string, at = ""): Fit<never> => ({ ok: false, at, why });

const where =
  <T>(is: (value: unknown) => value is T, expected: string): Shape<T> =>
  (value) =>
    is(value) ? fits(value) : misfit(`expected ${expected}`);

export const anything: Shape<unknown> = fits;
export const text = where((value): value is string => typeof value === "string", "text");
export const name = where((value): value is string => typeof value === "string" && value !== "", "text");
export const number = where(isNumber, "a number");
export const positive = where((value): value is number => isNumber(value) && value > 0, "a number above 0");
export const amount = where((value): value is number => isNumber(value) && value >= 0, "a number from 0");
export const whole = where(isWhole, "a whole number");
export const count = where((value): value is number => isWhole(value) && value >= 0, "a whole number from 0");
export const ordinal = where((value): value is number => isWhole(value) && value > 0, "a whole number from 1");

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** One of these values, each a text or a number. */
export const oneOf = <const Values extends readonly (string | number)[]>(...values: Values): Shape<Values[number]> =>
  where(
    (value): value is Values[number] => values.some((each) => each === value),
    values.map((each) => JSON.stringify(each)).join(" or "),
  );

export const matching = (pattern: RegExp, expected: string): Shape<string> =>
  where((value): value is string => typeof value === "string" && pattern.test(value), expected);

export const nullable =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value) =>
    value === null ? fits(null) : shape(value);

export const optional =
  <T>(shape: Shape<T>): Shape<T | undefined> =>
  (value) =>
    value === undefined ? fits(undefined) : shape(value);

/** Where the key is missing. */
export const orElse =
  <T>(shape: Shape<T>, fallback: T): Shape<T> =>
  (value) =>
    value === undefined ? fits(fallback) : shape(value);

/** Something else in its place counts as the fallback. */
export const lenient =
  <T, F>(shape: Shape<T>, fallback: F): Shape<T | F> =>
  (value) => {
    const fit = shape(value);
    return fit.ok ? fit : fits(fallback);
  };

export const changed =
  <T, U>(shape: Shape<T>, change: (value: T) => U): Shape<U> =>
  (value) => {
    const fit = shape(value);
    return fit.ok ? fits(change(fit.value)) : fit;
  };

/** The first that fits; where none does, what the last one says. */
export const anyOf =
  <Shapes extends readonly Shape<unknown>[]>(...shapes: Shapes): Shape<ReadBy<Shapes[number]>> =>
  (value) => {
    let last: Fit<unknown> = misfit("nothing fits");
    for (const shape of shapes) {
      last = shape(value);
      if (last.ok) break;
    }
    return last as Fit<ReadBy<Shapes[number]>>;
  };

export const list =
  <T>(shape: Shape<T>): Shape<T[]> =>
  (value) => {
    if (!Array.isArray(value)) return misfit("expected a list");
    const read: T[] = [];
    for (const [index, each] of value.entries()) {
      const fit = shape(each);
      if (!fit.ok) return below(String(index), fit);
      read.push(fit.value);
    }
    return fits(read);
  };

export const record =
  <T>(shape: Shape<T>): Shape<Record<string, T>> =>
  (value) => {
    if (!isRecord(value)) return misfit("expected a mapping");
    const read: [string, T][] = [];
    for (const [key, each] of Object.entries(value)) {
      const fit = shape(each);
      if (!fit.ok) return below(key, fit);
      read.push([key, fit.value]);
    }
    return fits(Object.fromEntries(read));
  };

type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalKeys<F extends Fields> = { [K in keyof F]: undefined extends ReadBy<F[K]> ? K : never }[keyof F];
type ObjectOf<F extends Fields> = { [K in Exclude<keyof F, OptionalKeys<F>>]: ReadBy<F[K]> } & {
  [K in OptionalKeys<F>]?: ReadBy<F[K]>;
};

export const object =
  <F extends Fields>(fields: F): Shape<ObjectOf<F>> =>
  (value) => {
    if (!isRecord(value)) return misfit("expected a mapping");
    const read: [string, unknown][] = [];
    for (const [key, shape] of Object.entries(fields)) {
      const given = Object.hasOwn(value, key) ? value[key] : undefined;
      const fit = shape(given);
      if (!fit.ok) return below(key, fit);
      if (fit.value !== undefined) read.push([key, fit.value]);
    }
    return fits(Object.fromEntries(read) as ObjectOf<F>);
  };

const below = (key: string, { at, why }: { readonly at: string; readonly why: string }): Fit<never> =>
  misfit(why, at === "" ? key : `${key}.${at}`);
