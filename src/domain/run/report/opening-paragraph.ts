// How a document begins, for a report: its first paragraph of prose, without headings, lists, tables and code. Pure.

/** A report shows the way to the document; the document has the rest. */
const openingMax = 500;

/** Empty where the beginning holds no prose. `beginning` may be cut anywhere. */
export function openingParagraph(beginning: string): string {
  const withoutCode = beginning
    .replaceAll("\r\n", "\n")
    .replaceAll(/^(```|~~~)[\s\S]*?(?:^\1[^\n]*$|$(?![\s\S]))/gm, "");
  const blocks = withoutCode.split(/\n[ \t]*\n/).map((block) => withoutHeading(block).trim());
  const found = blocks.find((block) => block !== "" && !isMarkup(block)) ?? "";
  const line = found.replaceAll(/\s+/g, " ");
  return line.length <= openingMax
    ? line
    : `${line
        .slice(0, openingMax - 1)
        .replace(/[\uD800-\uDBFF]$/, "")
        .trimEnd()}…`;
}

/** A heading may stand right above its paragraph. */
const withoutHeading = (block: string) =>
  block.replaceAll(/^ {0,3}#{1,6}(?:[ \t].*)?$/gm, "").replace(/^.*\n {0,3}(?:=+|-{2,})[ \t]*(?:\n|$)/, "");

const isMarkup = (block: string) =>
  /^(?:[-*+] |\d+[.)] |\||>|!?\[[^\]]*\]\([^)]*\)$|<|-{3,}$|\*{3,}$| {4})/.test(block);
