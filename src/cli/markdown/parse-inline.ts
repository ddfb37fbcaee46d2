// The text of a Markdown block as spans with styles: bold, italic, code, links. Pure.

import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { withoutEscapes } from "../plain-text.ts";

export type SpanStyle = "bold" | "italic" | "code" | "struck" | "link" | "dim";
export type Span = { readonly text: string; readonly styles: readonly SpanStyle[] };

/** A longer text is shown as it is, and so is one with more marks: for each of them marked looks through all the others. */
const inlineMax = 5_000;
const marksMax = 300;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: "\u00a0",
};

/** Nothing in a span can steer a terminal. */
export function parseInline(text: string): readonly Span[] {
  return spansIn(text, new Lexer({ gfm: true }));
}

/** `lexer` knows the addresses that links of the whole text refer to. */
export function spansIn(text: string, lexer: Lexer): readonly Span[] {
  const marks = text.match(/[*_~]+/g)?.length ?? 0;
  if (text.length > inlineMax || marks > marksMax) return [{ text: withoutEscapes(text), styles: [] }];
  // A tag that is left open ends with its text.
  lexer.state.inLink = false;
  lexer.state.inRawBlock = false;
  return toSpans(lexer.inlineTokens(text), []);
}

const toSpans = (tokens: readonly Token[], styles: readonly SpanStyle[]): readonly Span[] =>
  tokens.flatMap((token) => toSpan(token as MarkedToken, styles));

function toSpan(token: MarkedToken, styles: readonly SpanStyle[]): readonly Span[] {
  const plain = (text: string): readonly Span[] => [{ text: withoutEscapes(text), styles }];
  switch (token.type) {
    case "strong":
      return toSpans(token.tokens, [...styles, "bold"]);
    case "em":
      return toSpans(token.tokens, [...styles, "italic"]);
    case "del":
      return toSpans(token.tokens, [...styles, "struck"]);
    case "codespan":
      return [{ text: withoutEscapes(token.text), styles: [...styles, "code"] }];
    case "link":
      return [...toSpans(token.tokens, [...styles, "link"]), ...targetOf(token, styles)];
    case "image":
      return plain(`[picture: ${token.text || token.href}]`);
    case "br":
      return plain("\n");
    case "html":
      return /^<br\b/i.test(token.text) ? plain("\n") : [];
    case "text":
    case "escape":
      return plain(readEntities(token.text).replaceAll(/\s*\n\s*/g, " "));
    default:
      return [];
  }
}

const readEntities = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => entities[name] ?? "");

/** Only addresses that a reader could open from a terminal, and that are not what the link says. */
function targetOf({ href, text, autolink }: Tokens.Link, styles: readonly SpanStyle[]): readonly Span[] {
  if (autolink || href === text || !/^(https?|mailto):/i.test(href)) return [];
  return [{ text: withoutEscapes(` (${href})`), styles: [...styles, "dim"] }];
}
