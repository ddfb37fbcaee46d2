// Which class each part of markdown gets; the style sheet says how it looks, so that dark pages need nothing else.

import { syntaxHighlighting } from "@codemirror/language";
import { tagHighlighter, tags } from "@lezer/highlight";

const highlighter = tagHighlighter([
  { tag: tags.heading, class: "markdown-heading" },
  { tag: tags.strong, class: "markdown-strong" },
  { tag: tags.emphasis, class: "markdown-emphasis" },
  { tag: tags.strikethrough, class: "markdown-struck" },
  { tag: tags.monospace, class: "markdown-code" },
  { tag: [tags.link, tags.url], class: "markdown-link" },
  { tag: [tags.quote, tags.comment], class: "markdown-quote" },
  { tag: [tags.processingInstruction, tags.contentSeparator], class: "markdown-mark" },
]);

export const highlighting = syntaxHighlighting(highlighter);
