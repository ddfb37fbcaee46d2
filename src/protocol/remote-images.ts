// Markdown without pictures from elsewhere: loading one would tell its server who reads the text, and when. Such a picture
// becomes a link that shows its address. Pure; errs on the side of a link.

/** A picture beside the text: a path, nothing else in brackets or parentheses. */
const localImage = /^!\[[^\]\n]*\]\((?![\s<]*(?:[a-z][a-z0-9+.-]*:|\/\/|\\))[^()\s<>]+\)/i;
const plainImage = /!\[([^[\]\n]*)\]\(\s*<?([^\s()<>]+)>?[^()\n]*\)/g;

export function linkRemoteImages(markdown: string): string {
  return splitCode(markdown)
    .map(({ text, isCode }) => (isCode ? text : linkImages(text)))
    .join("\n");
}

function linkImages(text: string): string {
  return text
    .replaceAll(plainImage, (whole, about: string, address: string) =>
      localImage.test(whole) ? whole : `[${showAddress(about.trim(), address)}](${address})`,
    )
    .replaceAll(/!\[/g, (mark, at: number, all: string) => (localImage.test(all.slice(at, at + imageMax)) ? mark : "["))
    .replaceAll(/<(?=[a-z/!?])(?!https?:\/\/[^\s<>]*>)/gi, "\\<"); // HTML loads pictures in too many ways to list.
}

const showAddress = (about: string, address: string): string => {
  const shown = address.length > addressMax ? `${address.slice(0, addressMax)}…` : address;
  return about === "" ? shown : `${about}: ${shown}`;
};

const addressMax = 200;
/** A local picture is short; what is longer is looked at as a link. */
const imageMax = 2_000;

type Piece = { readonly text: string; readonly isCode: boolean };

/**
 * Code stays as it is. Only blocks that begin at the very margin count as code: those in lists and quotations end where these do, and what
 * follows would be shown.
 */
function splitCode(markdown: string): readonly Piece[] {
  const pieces: { lines: string[]; isCode: boolean }[] = [{ lines: [], isCode: false }];
  let open: string | null = null;
  for (const line of markdown.split("\n")) {
    const mark: string | undefined = open === null ? /^(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1] : undefined;
    if (mark !== undefined) {
      open = mark;
      pieces.push({ lines: [], isCode: true });
    }
    pieces.at(-1)?.lines.push(line);
    if (mark === undefined && open !== null && isEnd(line, open)) {
      open = null;
      pieces.push({ lines: [], isCode: false });
    }
  }
  return pieces
    .filter(({ lines }) => lines.length > 0)
    .map(({ lines, isCode }) => ({ text: lines.join("\n"), isCode }));
}

/** At least as long as what opened it, of the same mark, and alone on its line. */
function isEnd(line: string, open: string): boolean {
  const alone = line.replace(/^ {0,3}/, "").trimEnd();
  return alone.length >= open.length && alone === (open[0] ?? "").repeat(alone.length);
}
