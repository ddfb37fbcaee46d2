// Every parser that sees foreign or user text, each with texts made to be slow to read. Sizes are what the parser is given at most in the
// product, or less where one pass takes long already.

import { strToU8, zipSync } from "fflate";
import { parseMarkdown } from "../src/cli/markdown/parse-blocks.ts";
import { parseInline } from "../src/cli/markdown/parse-inline.ts";
import { detectLanguage } from "../src/domain/language.ts";
import { judgeBoxes } from "../src/domain/plan/plan-boxes.ts";
import { fenced, quoted, visibleText } from "../src/domain/policy/fence-text.ts";
import { measureDocuments, withoutCode } from "../src/domain/run/checks/measure-document.ts";
import { parseStatusBlock } from "../src/domain/run/output/status-block.ts";
import { readJson } from "../src/lib/json.ts";
import { findObject, parseForgiving } from "../src/llm/find-object.ts";
import { fromTextOutcome } from "../src/llm/text-tools.ts";
import { readUpdate } from "../src/notify/telegram/read-update.ts";
import { writeMessage } from "../src/notify/telegram/write-message.ts";
import { fileNameOf } from "../src/protocol/file-name.ts";
import { scanBus } from "../src/runner/bus/scan-bus.ts";
import { parseBody } from "../src/server/read-json.ts";
import { toSnippet } from "../src/store/entity/search-store.ts";
import { judgeMarkup } from "../src/tools/web/judge-markup.ts";
import { parsePage } from "../src/tools/web/parse-page.ts";
import { stripTags } from "../src/tools/web/strip-tags.ts";
import { diffRows } from "../web/src/ui/diff-rows.ts";
import { isTooMuch } from "../web/src/ui/markdown-limits.ts";
import { portionsOf } from "../web/src/ui/portions.ts";

export type Parser = {
  readonly name: string;
  /** Characters of the larger input. */
  readonly size: number;
  readonly shapes: readonly string[];
  readonly run: (text: string) => unknown;
};

const markup = [
  "<",
  "<div>",
  "<table><tr><td>",
  "<p a=1 ",
  "<b><i>x</b>",
  "<!--",
  "<script>",
  "&amp;",
  "<p>x",
  "<a href=x>y</a> ",
];
const markdown = [
  "#",
  "*",
  "**a ",
  "_",
  "`",
  "```\n",
  "[",
  "![](",
  "[a](",
  "> ",
  "- ",
  "1. ",
  "|",
  "| a |\n",
  "\n",
  "<",
  "\\",
  "~~~\n",
  "- [ ] a\n",
  "> a\nb\n",
  "*a **b ",
  "[a]: b\n",
  "a b ",
];
const blocks = [
  "```json\n",
  "{",
  '{"status":',
  "---\n",
  "status:\n",
  "```\n{",
  "\n{\n",
  "}",
  "HOMEWORK_STATUS\n",
  '"',
  " \n",
];
const json = ["[", "[],", '"', '{"a":', '"\\\\', '"__proto__":', " ", "1,"];

/** As the pages make it. Their types are those of a browser and would hold for all of our files: they are left out. */
type Render = (options: object) => unknown;
const load = async (name: string): Promise<Render> => ((await import(name)) as { default: Render }).default;
const renderMarkdown = await load("react-markdown");
const remarkPlugins = [await load("remark-gfm")];
const rehypePlugins = [await load("rehype-sanitize")];

const looseJson = ["//", "/*", "/* */", ",}", "\\", "'", '{"a":"', "{}", "{ ", " /", ", \n"];
const usage = { outputTokens: 1 };
const ask = { messages: [] } as never;
const privateChat = { id: 1, type: "private" };

const swallow = (work: () => unknown) => {
  try {
    work();
  } catch {
    // Refused is as good as read: it is the time that counts.
  }
};

const bytes = new Map<string, Buffer>();

/** Made once for each text: a body comes as bytes. */
function bytesOf(text: string): Buffer {
  const made = bytes.get(text) ?? Buffer.from(text);
  bytes.set(text, made);
  return made;
}

export const parsers: readonly Parser[] = [
  {
    name: "HTML: readable text of a page",
    size: 60_000,
    shapes: markup,
    run: (text) => parsePage(text, "https://a.example/"),
  },
  { name: "HTML: how tangled it is", size: 2_000_000, shapes: markup, run: judgeMarkup },
  { name: "HTML: text without tags", size: 2_000_000, shapes: markup, run: stripTags },
  {
    name: "hidden characters",
    size: 400_000,
    shapes: ["\u001b[", "\u001b]", "\u200b", "\r", "a\u001b[0", "\ud800"],
    run: visibleText,
  },
  {
    name: "fences around foreign text",
    size: 400_000,
    shapes: ["<", "<< ", "<<<end", "untrusted", "nonce123"],
    run: (text) => fenced("web", text, "nonce1234"),
  },
  { name: "quoted words of a user", size: 400_000, shapes: ["> ", "\n", " \n"], run: quoted },
  { name: "Markdown: blocks", size: 400_000, shapes: markdown, run: parseMarkdown },
  {
    name: "Markdown: a line",
    size: 100_000,
    shapes: markdown.filter((shape) => !shape.includes("\n")),
    run: parseInline,
  },
  {
    name: "document measured",
    size: 400_000,
    shapes: [...markdown, "http://a ", "https://a.example/x ", "word "],
    run: (content) => measureDocuments([{ id: "d", title: "t", content, before: "" } as never]),
  },
  { name: "document without code", size: 400_000, shapes: ["```", "```\n", "~~~\n", "`", "    a\n"], run: withoutCode },
  { name: "status block", size: 400_000, shapes: blocks, run: parseStatusBlock },
  {
    name: "plan boxes",
    size: 400_000,
    shapes: ["- [ ] a\n", "- [x] a\n", "- [", "  - [ ] a\n", "```\n", "* [ ]", "\n"],
    run: judgeBoxes,
  },
  { name: "language of a text", size: 400_000, shapes: ["the ", "der ", "a", "é", "\n", "的"], run: detectLanguage },
  { name: "JSON of a model", size: 400_000, shapes: json, run: (text) => readJson(text, null) },
  {
    name: "JSON body of a request",
    size: 9_000_000,
    shapes: json,
    run: (text) => swallow(() => parseBody(bytesOf(text))),
  },
  {
    name: "bus of messages",
    size: 1_000_000,
    shapes: ["---\n", "\n", "---\nid: a\n---\n", "---", "a: b\n", "<!--"],
    run: (text) => scanBus(Buffer.from(text), 0, true),
  },
  { name: "JSON in words of a model", size: 200_000, shapes: [...json, ...looseJson], run: findObject },
  { name: "JSON with comments and commas", size: 200_000, shapes: [...json, ...looseJson], run: parseForgiving },
  {
    name: "tool calls written as text",
    size: 200_000,
    shapes: ['{"tool_calls"', '{ "tool_calls": [', "```", "``` ", "```json\n{", ...looseJson],
    run: (text) =>
      fromTextOutcome({ kind: "answered", answer: { text, toolCalls: [], native: null }, usage } as never, ask),
  },
  {
    name: "incoming chat message",
    size: 400_000,
    shapes: ["/start ", "/start@", " ", "\n", "a-", "/stop@a"],
    run: (text) => readUpdate({ update_id: 1, message: { message_id: 1, chat: privateChat, text } }),
  },
  {
    name: "outgoing chat message",
    size: 400_000,
    shapes: ["<", "&", "\ud83d\ude00", " "],
    run: (text) => writeMessage("d" as never, { title: text, message: text, actionUrl: "/", data: {} } as never, ""),
  },
  {
    name: "documents compared on a page",
    size: 400_000,
    shapes: ["a\n", "a b\n", "\n", "\r", "one two three four five\n", "word "],
    // What the page compares: a text with itself, each line changed a little.
    run: (text) => diffRows(text, text.replaceAll("a", "b")),
  },
  {
    name: "long text in portions",
    size: 3_000_000,
    shapes: ["a", "\n", "a\n\n", " \n"],
    run: (text) => portionsOf(text),
  },
  {
    name: "Markdown on a page, one portion",
    size: 50_000,
    shapes: markdown,
    run: (children) => isTooMuch(children) || renderMarkdown({ children, remarkPlugins, rehypePlugins }),
  },
  { name: "name of a file", size: 4_000, shapes: [" ", "-", ".", "a ", "/", "\u0301"], run: fileNameOf },
  {
    name: "archive of a run",
    size: 3_000_000,
    shapes: ["a", "ab ", "\n"],
    run: (text) => zipSync({ a: strToU8(text) }),
  },
  { name: "search snippet", size: 400_000, shapes: ["\u0001", "\u0002", "\u0003", "\u0001a\u0002"], run: toSnippet },
];
