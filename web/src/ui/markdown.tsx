// Markdown as a page shows it: sanitised, nothing loaded from elsewhere, headings below the page's own.
// Import it through lazy-markdown.tsx; the parser is large.

import { Button, Typography } from "@mantine/core";
import { memo, useMemo, useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { addHeadingIds } from "./heading-ids.ts";
import { isTooMuch } from "./markdown-limits.ts";
import { portionsOf } from "./portions.ts";

const components: Components = {
  h1: "h2",
  h2: "h3",
  h3: "h4",
  h4: "h5",
  h5: "h6",
  a: ({ node: _, children, ...rest }) => (
    <a {...rest} rel="noopener noreferrer" {...(isForeign(rest.href) ? { target: "_blank" } : {})}>
      {children}
    </a>
  ),
  img: ({ src, alt }) => <Picture src={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
  input: ({ node: _, checked, ...rest }) => (
    <input {...rest} checked={checked} readOnly aria-label={checked ? "Done" : "Not done"} />
  ),
  // biome-ignore-start lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  table: ({ node: _, ...rest }) => (
    <section className="scroll-x" tabIndex={0} aria-label="Table">
      <table {...rest} />
    </section>
  ),
  pre: ({ node: _, ...rest }) => <pre {...rest} tabIndex={0} />,
  // biome-ignore-end lint/a11y/noNoninteractiveTabindex: see above
};

export type MarkdownProps = {
  readonly text: string;
  /** Headings get ids, so that a table of contents can lead to them. For one text per page. */
  readonly hasAnchors?: boolean;
};

export function Markdown({ text, hasAnchors = false }: MarkdownProps) {
  const portions = useMemo(() => portionsOf(text), [text]);
  const [shown, setShown] = useState(1);
  const left = portions.length - shown;
  return (
    <Typography className="markdown breakable">
      {portions.slice(0, shown).map(({ start, words }) => (
        <Portion key={start} words={words} anchors={hasAnchors ? anchorsFrom(start) : null} />
      ))}
      {left > 0 ? (
        <Button variant="default" onClick={() => setShown(shown + 1)}>
          Show more ({left} more {left === 1 ? "part" : "parts"})
        </Button>
      ) : null}
    </Typography>
  );
}

/** Portions know nothing of each other's ids. */
const anchorsFrom = (start: number) => (start === 0 ? "section" : `section-${start}`);

type PortionProps = { readonly words: string; readonly anchors: string | null };

const Portion = memo(({ words, anchors }: PortionProps) =>
  isTooMuch(words) ? (
    <pre className="breakable">{words}</pre>
  ) : (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={anchors === null ? [rehypeSanitize] : [rehypeSanitize, [addHeadingIds, anchors]]}
      components={components}
    >
      {words}
    </ReactMarkdown>
  ),
);

/** Loading a picture from elsewhere would tell that server who reads this, so it becomes a link. */
function Picture({ src, alt }: { readonly src: string; readonly alt: string }) {
  if (!isForeign(src)) return <img src={src} alt={alt} />;
  return (
    <a href={src} target="_blank" rel="noopener noreferrer">
      Image: {alt || src}
    </a>
  );
}

function isForeign(address: string | undefined): boolean {
  if (!address) return false;
  return URL.parse(address, window.location.href)?.origin !== window.location.origin;
}
