// Markdown without pictures from elsewhere: loading one would tell its server who reads the text, and when. Such a picture
// becomes a link. Pure; errs on the side of a link.

/** A picture beside the text: a path, nothing else in brackets or parentheses. */
const localImage = /^!\[[^\]\n]*\]\((?![\s<]*(?:[a-z][a-z0-9+.-]*:|\/\/|\\))[^()\s<>]+\)/i;
const emptyImage = /!\[\s*\]\(\s*<?([^\s()<>]+)>?[^()\n]*\)/g;

export function linkRemoteImages(markdown: string): string {
  return markdown
    .replaceAll(emptyImage, (whole, address: string) => (localImage.test(whole) ? whole : `[${address}](${address})`))
    .replaceAll(/!\[/g, (mark, at: number, text: string) =>
      localImage.test(text.slice(at, at + imageMax)) ? mark : "[",
    )
    .replaceAll(/<(?=[a-z/!?])(?!https?:\/\/[^\s<>]*>)/gi, "\\<"); // HTML loads pictures in too many ways to list.
}

/** A local picture is short; what is longer is looked at as a link. */
const imageMax = 2_000;
