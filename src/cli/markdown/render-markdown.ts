// Markdown as a person reads it in a terminal: wrapped to a width, in colour if there is any. Pure. Nothing in it can steer the
// terminal.

import type { Output } from "../output.ts";
import { type Block, type ListItem, parseMarkdown } from "./parse-blocks.ts";
import { parseInline, type Span, type SpanStyle } from "./parse-inline.ts";
import { renderMarkdownTable } from "./render-table.ts";
import { type PaintSpan, wrapSpans } from "./wrap-spans.ts";

type Painter = Pick<Output, "paint" | "hasColor">;

/** However deep a list is, its text keeps so many cells. */
const widthMin = 12;

export function renderMarkdown(text: string, width: number, painter: Painter): readonly string[] {
  return blockLines(parseMarkdown(text), width, painter);
}

/** The same for one paragraph. */
export function wrapText(text: string, width: number, painter: Painter): readonly string[] {
  return paragraphLines(parseInline(text), width, painter);
}

function paragraphLines(spans: readonly Span[], width: number, painter: Painter): readonly string[] {
  return wrapSpans(spans, width, spanPainter(painter)).map((line) => line.text);
}

function blockLines(blocks: readonly Block[], width: number, painter: Painter): readonly string[] {
  return blocks.flatMap((block, at) => [...(at === 0 ? [] : [""]), ...linesOf(block, width, painter)]);
}

function linesOf(block: Block, width: number, painter: Painter): readonly string[] {
  const { paint } = painter;
  switch (block.kind) {
    case "heading":
      return headingLines(block, width, painter);
    case "paragraph":
      return paragraphLines(block.spans, width, painter);
    case "list":
      return block.items.flatMap((item) => itemLines(item, width, painter));
    case "quote":
      return blockLines(block.blocks, Math.max(widthMin, width - 2), painter).map((line) =>
        `${paint("dim", "│")} ${line}`.trimEnd(),
      );
    case "code":
      return block.lines.map((line) => `    ${paint("cyan", line)}`.trimEnd());
    case "table":
      return renderMarkdownTable(block.rows, width, paint, spanPainter(painter));
    case "rule":
      return [paint("dim", "─".repeat(Math.min(width, 40)))];
  }
}

/** Without colours a heading keeps its marks, so that it can be told from text. */
function headingLines(
  { depth, spans }: Extract<Block, { kind: "heading" }>,
  width: number,
  painter: Painter,
): readonly string[] {
  const lines = wrapSpans(spans, width, ({ text }) => text).map((line) => line.text);
  if (!painter.hasColor) return lines.map((line) => `${"#".repeat(depth)} ${line}`);
  return lines.map((line) => {
    const bold = painter.paint("bold", line);
    return depth === 1 ? painter.paint("underline", bold) : depth === 2 ? painter.paint("cyan", bold) : bold;
  });
}

/** Lists stay tight: a list below a text needs no empty line. */
function itemLines({ marker, blocks }: ListItem, width: number, painter: Painter): readonly string[] {
  const indent = marker.length + 1;
  const inner = blocks.flatMap((block, at) => [
    ...(at === 0 || block.kind === "list" ? [] : [""]),
    ...linesOf(block, Math.max(widthMin, width - indent), painter),
  ]);
  const [first = "", ...rest] = inner;
  return [
    `${painter.paint("dim", marker)} ${first}`.trimEnd(),
    ...rest.map((line) => (line === "" ? "" : `${" ".repeat(indent)}${line}`)),
  ];
}

const paints: Readonly<Record<SpanStyle, Parameters<Output["paint"]>[0]>> = {
  bold: "bold",
  italic: "italic",
  code: "cyan",
  struck: "strikethrough",
  link: "underline",
  dim: "dim",
};

function spanPainter({ paint, hasColor }: Painter): PaintSpan {
  return ({ text, styles }: Span) => {
    if (!hasColor) return styles.includes("code") ? `\`${text}\`` : text;
    return styles.reduce((painted, style) => paint(paints[style], painted), text);
  };
}
