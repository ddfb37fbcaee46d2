// Elements to text that reads like Markdown: headings, lists, quotes, code, tables as lines. It stops at the limit of what
// anyone will read, and leaves out what is for machines.

import { type DomElement, type Visit, walk } from "./dom.ts";
import { pageTextMax } from "./limits.ts";

const skipped = new Set(
  "head title script style noscript template svg math iframe object embed canvas form button select input textarea nav".split(
    " ",
  ),
);
const blocks = new Set(
  "address article aside blockquote div dl dt dd figure figcaption footer header main ol p pre section table tr ul".split(
    " ",
  ),
);
const openings: Readonly<Record<string, string>> = {
  li: "\n- ",
  br: "\n",
  hr: "\n\n---\n\n",
  td: " | ",
  th: " | ",
  blockquote: "\n\n> ",
  pre: "\n\n```\n",
};
const closings: Readonly<Record<string, string>> = { pre: "\n```\n\n", li: "\n" };

export function renderText(root: DomElement): string {
  const parts: string[] = [];
  let size = 0;
  let preformatted = 0;
  for (const visit of walk(root, (name) => skipped.has(name))) {
    if (visit.kind !== "text" && visit.name === "pre") preformatted += visit.kind === "enter" ? 1 : -1;
    const part = partOf(visit, preformatted > 0);
    parts.push(part);
    size += part.length;
    if (size > pageTextMax * 2) break;
  }
  return tidied(parts.join(""));
}

function partOf(visit: Visit, isPreformatted: boolean): string {
  if (visit.kind === "text") return isPreformatted ? visit.text : visit.text.replaceAll(/\s+/g, " ");
  const { name } = visit;
  const level = /^h([1-6])$/.exec(name)?.[1];
  const apart = blocks.has(name) || level !== undefined ? "\n\n" : "";
  if (visit.kind === "leave") return closings[name] ?? apart;
  return level === undefined ? (openings[name] ?? apart) : `\n\n${"#".repeat(Number(level))} `;
}

/** Where text for machines is put that people are not to see. */
export function isHidden(element: DomElement): boolean {
  if (element.hasAttribute("hidden") || element.getAttribute("aria-hidden") === "true") return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])/i.test(
    element.getAttribute("style") ?? "",
  );
}

function tidied(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd().replace(/^ (?=\S)/, ""))
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
