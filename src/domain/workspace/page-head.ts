// The first lines of what a run reads of a web page: where it was, where the run asked for it, its title. The tool writes them,
// and the list of pages that a run opened is read from them. Only the first lines count: the rest was written by strangers. Pure.

export type PageHead = { readonly url: string; readonly asked: string; readonly title: string };

export function renderPageHead({ url, asked, title }: PageHead): readonly string[] {
  const line = title.replaceAll(/\s+/g, " ").trim();
  return [
    `Address: ${url}`,
    ...(url === asked ? [] : [`Asked for: ${asked}`]),
    ...(line === "" ? [] : [`Title: ${line}`]),
  ];
}

/** Null: the text does not begin like that of a page. */
export function readPageHead(text: string): PageHead | null {
  const found = /^Address: (\S+)(?:\nAsked for: (\S+))?(?:\nTitle: ([^\n]*))?(?:\n|$)/.exec(text);
  const [, url, asked = url, title = ""] = found ?? [];
  return url === undefined || asked === undefined ? null : { url, asked, title };
}
