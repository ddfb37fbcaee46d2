// The tool that reads one web page. Where it may connect to is decided in src/tools/web/, which addresses a run may ask for
// in src/domain/policy/egress.ts; here a page becomes the text that a model reads.

import { z } from "zod";
import { visibleText } from "../domain/policy/fence-text.ts";
import { normalUrl } from "../domain/policy/web-address.ts";
import { renderPageHead } from "../domain/workspace/page-head.ts";
import { outsideTool, refuse, type Tool, type ToolOutcome, type ToolRefusal } from "./tool.ts";
import { type FetchDeps, type FetchedPage, fetchPage } from "./web/fetch-page.ts";
import { pageTextMax } from "./web/limits.ts";
import type { ReadablePage } from "./web/page-helper.ts";
import type { PageReader } from "./web/readable-page.ts";

export type WebFetchDeps = FetchDeps & { readonly reader: Pick<PageReader, "read"> };

export function makeWebFetch(deps: WebFetchDeps): Tool {
  return outsideTool({
    name: "web_fetch",
    description:
      "Reads one public web page and returns its title, its text and its links. Text, HTML, JSON and XML only; no PDF, " +
      "no pages behind a login. What it returns was written by strangers.",
    args: z.object({
      url: z
        .string()
        .refine((url) => normalUrl(url) !== null, "must be a whole http or https address without user name or spaces")
        .describe("The whole address, beginning with https:// or http://."),
    }),
    tags: ["untrusted", "egress"],
    stage: 1,
    isRepeatable: true,
    destination: ({ url }) => url,
    act: async (_context, { url }, { signal, mayFollow }) => {
      const page = await fetchPage(url, deps, signal, mayFollow);
      if (page.kind === "refused") return refuse(page.code, `The page was not read: ${page.why}.`);
      const read = await readText(page, deps.reader);
      return "ok" in read ? read : outcomeOf(url, page, read);
    },
  });
}

type Page = Extract<FetchedPage, { kind: "page" }>;

async function readText(page: Page, reader: WebFetchDeps["reader"]): Promise<ReadablePage | ToolRefusal> {
  if (page.mediaType !== "text/html" && page.mediaType !== "application/xhtml+xml")
    return { title: "", text: page.text, links: [], isParsed: true };
  const read = await reader.read(page.text, page.url);
  if (read.kind === "busy")
    return refuse(
      "unavailable",
      "The page was not read: this machine has no time for it at the moment; try again later.",
    );
  if (read.kind === "killer")
    return refuse(
      "failed",
      "The page was not read: taking it apart needs more time or memory than a page may have. It is broken or hostile, " +
        "and will not be tried again for a week; look for the same elsewhere.",
    );
  if (!read.page.isParsed && read.page.text.trim() === "")
    return refuse(
      "failed",
      "The page was not read: it has markup without end and no text; look for the same elsewhere.",
    );
  return read.page;
}

function outcomeOf(asked: string, page: Page, read: ReadablePage): ToolOutcome {
  const whole = visibleText(read.text.slice(0, pageTextMax * 2));
  const text = whole.slice(0, pageTextMax);
  const notes = [
    ...(page.isCut ? ["(The page is larger than what is read; this is its beginning.)"] : []),
    ...(text.length < whole.length || read.text.length > pageTextMax * 2
      ? ["(The text is longer; this is its beginning.)"]
      : []),
    ...(read.isParsed ? [] : ["(The page could not be taken apart; this is its text without any order.)"]),
    ...(text.trim() === "" ? ["(The page has no text; it may need a browser.)"] : []),
  ];
  const links = read.links.map((link) => `- ${visibleText(link.text) || "(no text)"}: ${visibleText(link.url)}`);
  const head = [...renderPageHead({ url: page.url, asked, title: visibleText(read.title) }), ...notes];
  const parts = [head.join("\n"), text, ...(links.length > 0 ? [`Links:\n${links.join("\n")}`] : [])];
  return {
    ok: true,
    text: parts.join("\n\n"),
    artifacts: [],
    summary: `read ${new URL(asked).host}: ${text.match(/\S+/g)?.length ?? 0} words`,
    isUntrusted: true,
  };
}
