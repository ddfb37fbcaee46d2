// Turns what people write into names of files: lower-case letters, digits and single hyphens.

import { createHash } from "node:crypto";

const slugMin = 3;
/** Leaves room for the mark that tells two equal slugs of one second apart. */
const slugMax = 45;
const markDigits = 4;

/** Null: the text has too few letters or digits for a name. */
export function makeSlug(text: string): string | null {
  const plain = text.slice(0, 1_000).normalize("NFKD").toLowerCase().replaceAll(/\p{M}/gu, "");
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, slugMax)
    .replace(/-$/, "");
  return slug.length < slugMin ? null : slug;
}

/** The same name with a mark, for when the name is taken. */
export function markSlug(slug: string, stamp: string, attempt: number): string {
  const hash = createHash("sha256").update(`${slug}${stamp}${attempt === 0 ? "" : attempt}`);
  return `${slug}-${hash.digest("hex").slice(0, markDigits)}`;
}
