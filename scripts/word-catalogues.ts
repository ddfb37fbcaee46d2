// The words that people read, gathered from the sources of each side: words/pages.en.json and words/terminal.en.json.

import { readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { findMessages } from "../src/words/find-messages.ts";
import { findFrameWords } from "../src/words/page-frame.ts";
import { isPageFile, isTerminalFile, type Side } from "../src/words/sides.ts";
import { type Found, writeCatalogue } from "../src/words/translation.ts";
import { filesBelow } from "../test/helpers/files-below.ts";

const frame = "web/index.html";
/** The build gives pages its addresses alone. */
const contract = "src/protocol/api.ts";

export const renderCatalogue = (side: Side): string => writeCatalogue(gatherWords(side));

export function gatherWords(side: Side): Found {
  const files = side === "pages" ? listPageFiles() : [...filesBelow("src")].filter(isTerminalFile);
  const found = new Map(files.map((file) => [file, findMessages(file, readFileSync(file, "utf8"))]));
  if (side === "pages") found.set(frame, frameMessages());
  return found;
}

function frameMessages() {
  return findFrameWords(readFileSync(frame, "utf8")).map((text) => ({
    at: [0, 0] as const,
    text,
    slots: [],
    place: "attribute" as const,
  }));
}

/** The pages' own files, and those of the protocol and the domain that they import. */
function listPageFiles(): readonly string[] {
  const seen = new Set<string>();
  const open = [...filesBelow("web/src")].filter(isPageFile);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (file !== contract) open.push(...importsOf(file).filter((each) => /\.tsx?$/.test(each) && !seen.has(each)));
  }
  return [...seen].filter(isPageFile);
}

/** Types are left out: they are gone when a page is built. */
function importsOf(file: string): readonly string[] {
  const { module } = parseSync(file, readFileSync(file, "utf8"));
  const named = module.staticImports.filter(
    ({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType),
  );
  return named
    .map(({ moduleRequest }) => moduleRequest.value)
    .filter((name) => name.startsWith("."))
    .map((name) => path.posix.join(path.posix.dirname(file), name));
}
