// Markup to readable text: the article if there is one, else the whole page, with its links made absolute. It runs no scripts
// and loads nothing. Only the process beside the server calls it (src/main/read-pages.ts): a hostile page may take its time and memory.

import { Readability } from "@mozilla/readability";
import { Element, parseHTML } from "linkedom";
import type { DomDocument } from "./dom.ts";
import { judgeMarkup } from "./judge-markup.ts";
import { pageLinksMax } from "./limits.ts";
import type { ReadablePage } from "./page-helper.ts";
import { isHidden, renderText } from "./render-text.ts";
import { stripTags } from "./strip-tags.ts";

const titleMax = 300;
const linkTextMax = 120;
const linkUrlMax = 1_000;
/** An article of less is usually a cookie banner; the whole page says more. */
const articleMin = 200;

// Readability asks every element for its style, and linkedom makes a large object for each answer: half of the time. Nothing is lost: what
// is hidden has been removed by then.
Object.defineProperty(Element.prototype, "style", { configurable: true, get: () => undefined });

export function parsePage(html: string, url: string): ReadablePage {
  const markup = judgeMarkup(html);
  if (markup === "tangled") return { ...stripTags(html), links: [], isParsed: false };
  return { ...parseTree(html, url, markup === "article"), isParsed: true };
}

function parseTree(html: string, url: string, hasArticle: boolean): Omit<ReadablePage, "isParsed"> {
  const { document } = parseHTML(whole(html));
  removeHidden(document); // before styles are dropped, by which hidden things are told
  const base = baseOf(document, url);
  const all = renderText(document.documentElement);
  const links = linksOf(document, base);
  const title = oneLine(document.querySelector("title")?.textContent ?? "", titleMax);
  if (!hasArticle) return { title, text: all, links };
  // It takes the document apart, so everything else has been read before.
  const article = new Readability(document, { charThreshold: articleMin }).parse();
  if (!article?.content) return { title, text: all, links };
  const content = parseHTML(`<html><body>${article.content}</body></html>`).document;
  const text = renderText(content.body);
  if (text.length < articleMin && all.length > text.length) return { title, text: all, links };
  const about = [article.byline, article.publishedTime].flatMap((line) => (line ? [oneLine(line, titleMax)] : []));
  return {
    title: oneLine(article.title ?? "", titleMax) || title,
    text: [...about, text].join("\n\n"),
    links: linksOf(content, base),
  };
}

/** Pages may leave out what every page has; the parser does not add it. */
function whole(html: string): string {
  const hasAll = /<html[\s>]/i.test(html) && /<body[\s>]/i.test(html);
  return hasAll ? html : `<html><body>${html}</body></html>`;
}

function removeHidden(document: DomDocument): void {
  for (const element of document.querySelectorAll("[style], [hidden], [aria-hidden]"))
    if (isHidden(element)) element.remove();
}

function baseOf(document: DomDocument, url: string): string {
  const given = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  return URL.canParse(given, url) && /^https?:$/.test(new URL(given, url).protocol) ? new URL(given, url).href : url;
}

function linksOf(document: DomDocument, base: string): ReadablePage["links"] {
  const links = new Map<string, string>();
  for (const link of document.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    if (href.startsWith("#") || !URL.canParse(href, base)) continue;
    const url = new URL(href, base);
    const isUsable = /^https?:$/.test(url.protocol) && url.href.length <= linkUrlMax;
    if (isUsable && !links.has(url.href)) links.set(url.href, oneLine(link.textContent ?? "", linkTextMax));
    if (links.size >= pageLinksMax) break;
  }
  return [...links].map(([url, text]) => ({ text, url }));
}

function oneLine(text: string, max: number): string {
  return text
    .slice(0, max * 4)
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, max);
}
