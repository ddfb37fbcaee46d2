// Markdown as blocks: headings, paragraphs, lists, tables, quotes and code. marked takes the text apart; what a terminal cannot show is left
// out here, and what is nested deeper than anyone reads stays text. Pure.

import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from "marked";
import { withoutEscapes } from "../plain-text.ts";
import { type Span, spansIn } from "./parse-inline.ts";

export type ListItem = { readonly marker: string; readonly blocks: readonly Block[] };

export type Block =
  | { readonly kind: "heading"; readonly depth: number; readonly spans: readonly Span[] }
  | { readonly kind: "paragraph"; readonly spans: readonly Span[] }
  | { readonly kind: "list"; readonly items: readonly ListItem[] }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "code"; readonly lines: readonly string[] }
  /** The first row is the heading. */
  | { readonly kind: "table"; readonly rows: readonly (readonly (readonly Span[])[])[] }
  | { readonly kind: "rule" };

/** No line is narrow enough for more. marked reads each level of a quote once more, and would overflow the stack. */
const depthMax = 8;
/** A longer quote is shown as several: its time grows with the square of lines that go on without a mark. */
const quoteMax = 10_000;

class ShallowTokenizer extends Tokenizer {
  #depth = 0;

  override blockquote(source: string): Tokens.Blockquote | undefined {
    const end = source.length > quoteMax ? source.lastIndexOf("\n", quoteMax) + 1 : 0;
    return this.#readDeeper(() => super.blockquote(source.slice(0, end || undefined)));
  }

  override list(source: string): Tokens.List | undefined {
    return this.#readDeeper(() => super.list(source));
  }

  #readDeeper<Read>(read: () => Read | undefined): Read | undefined {
    if (this.#depth >= depthMax) return undefined;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }
}

export function parseMarkdown(text: string): readonly Block[] {
  const lexer = new Lexer({ gfm: true, tokenizer: new ShallowTokenizer() });
  // Its inline texts are read one by one, so that none of them takes long.
  lexer.blockTokens(text.replaceAll(/\r\n?/g, "\n"), lexer.tokens);
  for (const name of Object.keys(lexer.tokens.links)) if (isFootnote(name)) delete lexer.tokens.links[name];
  return toBlocks(lexer.tokens, lexer);
}

/** `[^1]: https://a.example` looks like the address of a link. */
const isFootnote = (name: string): boolean => name.startsWith("^");

const toBlocks = (tokens: readonly Token[], lexer: Lexer): readonly Block[] =>
  tokens.flatMap((token) => toBlock(token as MarkedToken, lexer));

function toBlock(token: MarkedToken, lexer: Lexer): readonly Block[] {
  switch (token.type) {
    case "heading":
      return [{ kind: "heading", depth: token.depth, spans: spansIn(token.text, lexer) }];
    case "paragraph":
    case "text":
      return [{ kind: "paragraph", spans: spansIn(token.text, lexer) }];
    case "list":
      return [{ kind: "list", items: token.items.map((item, at) => toItem(item, numberAt(token, at), lexer)) }];
    case "blockquote":
      return [{ kind: "quote", blocks: toBlocks(token.tokens, lexer) }];
    case "code":
      return [{ kind: "code", lines: token.text.replace(/\n$/, "").split("\n").map(withoutEscapes) }];
    case "table":
      return [{ kind: "table", rows: [token.header, ...token.rows].map((row) => toCells(row, lexer)) }];
    case "hr":
      return [{ kind: "rule" }];
    case "html":
      return toParagraph(withoutTags(token.text), lexer);
    case "def":
      return isFootnote(token.tag) ? toParagraph(token.raw, lexer) : [];
    default:
      return [];
  }
}

function toParagraph(text: string, lexer: Lexer): readonly Block[] {
  return text.trim() === "" ? [] : [{ kind: "paragraph", spans: spansIn(text.trim(), lexer) }];
}

const toCells = (row: readonly Tokens.TableCell[], lexer: Lexer) => row.map(({ text }) => spansIn(text, lexer));

const withoutTags = (html: string): string =>
  html.trimStart().startsWith("<!--") ? "" : html.replaceAll(/<[^<>]*>/g, "");

/** Null: the list has no numbers. */
const numberAt = ({ start }: Tokens.List, at: number): number | null => (start === "" ? null : start + at);

const box = /^\[[ xX]\]\s+/;

function toItem({ task, checked, tokens }: Tokens.ListItem, number: number | null, lexer: Lexer): ListItem {
  if (task) {
    const words = tokens.map((token) => ("text" in token ? { ...token, text: token.text.replace(box, "") } : token));
    return { marker: checked ? "[x]" : "[ ]", blocks: toBlocks(words, lexer) };
  }
  return { marker: number === null ? "•" : `${number}.`, blocks: toBlocks(tokens, lexer) };
}
