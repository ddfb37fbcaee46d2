// The text between tags, where a page cannot be taken apart properly. One pass whose time grows with the length only, for it is
// what remains when everything else took too long.

import { pageTextMax } from "./limits.ts";

/** Their content is for machines. */
const dropped = ["script", "style", "noscript", "template", "svg", "title"];
const breaking = /^\/?(?:p|div|br|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|pre|blockquote)$/;

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

export function stripTags(html: string): { readonly title: string; readonly text: string } {
  const lower = html.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()); // toLowerCase() of all changes some lengths
  const parts: string[] = [];
  let size = 0;
  let at = 0;
  while (at < html.length && size < pageTextMax * 2) {
    const open = html.indexOf("<", at);
    const text = html.slice(at, open === -1 ? html.length : open);
    parts.push(text);
    size += text.length;
    const close = open === -1 ? -1 : endOfTag(lower, open);
    if (close === -1) break; // what follows is a tag without an end
    const name = /^\/?[a-z0-9-]{1,30}/.exec(lower.slice(open + 1, open + 32))?.[0] ?? "";
    parts.push(breaking.test(name) ? "\n" : " ");
    at = dropped.includes(name) ? startOf(`</${name}`, lower, close) : close;
  }
  return { title: titleOf(html, lower), text: settled(parts.join("")) };
}

function titleOf(html: string, lower: string): string {
  const open = lower.indexOf("<title");
  const close = open === -1 ? -1 : endOfTag(lower, open);
  if (close === -1) return "";
  return settled(html.slice(close, Math.min(startOf("</title", lower, close), close + 300)));
}

function startOf(tag: string, lower: string, from: number): number {
  const found = lower.indexOf(tag, from);
  return found === -1 ? lower.length : found;
}

/** The place after a tag or comment; -1 where it has no end. */
function endOfTag(lower: string, open: number): number {
  const end = lower.startsWith("<!--", open) ? lower.indexOf("-->", open + 4) : lower.indexOf(">", open);
  if (end === -1) return -1;
  return lower.startsWith("-->", end) ? end + 3 : end + 1;
}

function settled(text: string): string {
  return text
    .replaceAll(/&(#x?[0-9a-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => decoded(name.toLowerCase()) ?? whole)
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n[\s]*/g, "\n")
    .trim();
}

function decoded(name: string): string | null {
  if (!name.startsWith("#")) return entities[name] ?? null;
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return Number.isInteger(code) && code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : null;
}
