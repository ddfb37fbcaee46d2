// Names that every provider takes: letters, digits, dash and underscore, 64 of them at most. The same text always becomes the
// same name, and two texts do not become one.

import { createHash } from "node:crypto";

const taken = /^[A-Za-z0-9_-]{1,64}$/;
const keptMax = 47;
const hashLength = 16;

export function fitName(text: string): string {
  if (taken.test(text)) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, hashLength);
  return `${text.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, keptMax)}_${hash}`;
}
