// The headings of a text as it is shown, for its table of contents. Read from the page: what is shown is what can be gone to.

import { useEffect, useState } from "react";

export type Heading = { readonly id: string; readonly text: string; readonly level: number };

/** Deeper ones would make the contents as long as the text. */
const headingsSelector = ":is(h2, h3, h4)[id^=section-]";

export function useHeadings() {
  const [article, setArticle] = useState<HTMLElement | null>(null);
  const [headings, setHeadings] = useState<readonly Heading[]>([]);
  useEffect(() => {
    if (article === null) return setHeadings([]);
    const read = () => setHeadings((now) => keepIfSame(now, readHeadings(article)));
    read();
    const observer = new MutationObserver(read);
    observer.observe(article, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [article]);
  useGoToAddressed(headings);
  return { headings, setArticle };
}

function readHeadings(article: HTMLElement): readonly Heading[] {
  return [...article.querySelectorAll(headingsSelector)].map(({ id, textContent, tagName }) => ({
    id,
    text: textContent.trim(),
    level: Number(tagName.slice(1)),
  }));
}

function keepIfSame(now: readonly Heading[], next: readonly Heading[]): readonly Heading[] {
  return JSON.stringify(now) === JSON.stringify(next) ? now : next;
}

/** The text comes later than the page, so the browser finds nothing at first at an address with a heading in it. */
function useGoToAddressed(headings: readonly Heading[]): void {
  const addressed = headings.find(({ id }) => `#${encodeURIComponent(id)}` === window.location.hash)?.id;
  useEffect(() => {
    if (addressed) document.getElementById(addressed)?.scrollIntoView();
  }, [addressed]);
}
