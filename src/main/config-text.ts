// Turns the text of a flag or an environment variable into what the config file would hold.
// It only changes the type; whether the value is allowed is the schema's business.

import { z } from "zod";

const yes = ["true", "yes", "on", "1"];
const no = ["false", "no", "off", "0"];

/** Text that does not fit stays text, so that the schema names the problem. */
export function valueFromText(schema: z.ZodType, text: string): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
  if (inner instanceof z.ZodRecord) return objectIn(text);
  if (inner instanceof z.ZodArray)
    return text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  if (!(inner instanceof z.ZodBoolean)) return text;
  const word = text.trim().toLowerCase();
  if (yes.includes(word)) return true;
  return no.includes(word) ? false : text;
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The schema without "has a default" and "may be null". */
function unwrapped(schema: z.ZodType): unknown {
  let inner: unknown = schema;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) inner = inner.unwrap();
  return inner;
}
