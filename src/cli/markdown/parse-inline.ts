// The text of a Markdown block as spans with styles: bold, italic, code, links. Pure.

import { withoutEscapes } from "../plain-text.ts";

export type SpanStyle = "bold" | "italic" | "code" | "struck" | "link" | "dim";
export type Span = { readonly text: string; readonly styles: readonly SpanStyle[] };

/** A longer text is shown as it is: the patterns look ahead, which takes the square of its length. */
const inlineMax = 5_000;
/** Bold in a link in bold is enough. */
const nestedMax = 6;

const patterns =
  /\\(?<escaped>[!-/:-@[-`{-~])|(?<ticks>`+)(?<code>[^`]|[^`].*?[^`])\k<ticks>(?!`)|!\[(?<picture>[^\]]*)\]\((?<source>[^()\s]*)[^()]*\)|\[(?<label>[^[\]]+)\]\((?<target>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s[^()]*)?\)|<(?<address>https?:[^<>\s]+)>|<(?<tag>\/?[a-z][^<>]*)>|\*\*(?<bold>\S|\S.*?\S)\*\*|(?<!\w)__(?<bold2>\S|\S.*?\S)__(?!\w)|~~(?<struck>\S|\S.*?\S)~~|\*(?<italic>[^\s*]|[^\s*].*?[^\s*])\*|(?<!\w)_(?<italic2>[^\s_]|[^\s_].*?[^\s_])_(?!\w)|&(?<entity>amp|lt|gt|quot|nbsp|#39);/gis;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: "\u00a0",
  "#39": "'",
};

/** Nothing in a span can steer a terminal. */
export function parseInline(text: string): readonly Span[] {
  return parse(withoutEscapes(text), [], 0);
}

function parse(text: string, styles: readonly SpanStyle[], depth: number): readonly Span[] {
  if (text.length > inlineMax || depth > nestedMax) return [{ text, styles }];
  const spans: Span[] = [];
  let at = 0;
  for (const found of text.matchAll(patterns)) {
    if (found.index > at) spans.push({ text: text.slice(at, found.index), styles });
    spans.push(...toSpans(found.groups ?? {}, styles, depth));
    at = found.index + found[0].length;
  }
  if (at < text.length) spans.push({ text: text.slice(at), styles });
  return spans;
}

type Groups = Readonly<Record<string, string | undefined>>;

function toSpans(groups: Groups, styles: readonly SpanStyle[], depth: number): readonly Span[] {
  const inner = (text: string, style: SpanStyle) => parse(text, [...styles, style], depth + 1);
  const { code, label, address, struck } = groups;
  if (code !== undefined) return [{ text: code, styles: [...styles, "code"] }];
  if (address !== undefined) return [{ text: address, styles: [...styles, "link"] }];
  if (label !== undefined) return [...inner(label, "link"), ...targetOf(label, groups.target ?? "", styles)];
  const bold = groups.bold ?? groups.bold2;
  if (bold !== undefined) return inner(bold, "bold");
  const italic = groups.italic ?? groups.italic2;
  if (italic !== undefined) return inner(italic, "italic");
  return struck === undefined ? [{ text: plainText(groups), styles }] : inner(struck, "struck");
}

/** What stands for one piece of text. */
function plainText({ escaped, picture, source, tag, entity }: Groups): string {
  if (picture !== undefined) return `[picture: ${picture || (source ?? "")}]`;
  if (entity !== undefined) return entities[entity.toLowerCase()] ?? "";
  if (tag !== undefined) return /^br\b/i.test(tag) ? "\n" : "";
  return escaped ?? "";
}

/** Only addresses that a reader could open from a terminal. */
function targetOf(label: string, target: string, styles: readonly SpanStyle[]): readonly Span[] {
  if (!/^(https?|mailto):/i.test(target) || target === label) return [];
  return [{ text: ` (${target})`, styles: [...styles, "dim"] }];
}
