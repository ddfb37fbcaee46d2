// Checks of what pages look like, read from their sources: colours keep their meaning, and no class has two owners.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filesBelow } from "./helpers/files-below.ts";

/** Where the names of lib/tones.ts and of global.css get their colours. */
const paletteFiles = ["web/src/lib/tones.ts", "web/src/app/theme.ts", "web/src/app/global.css"];

const sources = filesBelow("web/src")
  .filter((file) => /\.(css|tsx?)$/.test(file) && !file.includes(".test."))
  .map((file) => ({ file, text: readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "") }));

const meaningful = "amber|orange|yellow|red";
const named = [
  new RegExp(`["'](${meaningful})(\\.\\d)?["']`, "g"),
  new RegExp(`--mantine-color-(${meaningful})-[a-z0-9]`, "g"),
];

const findColours = (text: string): readonly string[] =>
  named.flatMap((pattern) => [...text.matchAll(pattern)].map(([found]) => found));

test("amber means that something needs the user, red that something failed", () => {
  const problems = sources
    .filter(({ file }) => !paletteFiles.includes(file))
    .flatMap(({ file, text }) =>
      findColours(text).map((found) => `${file}: ${found}; say what it means with lib/tones.ts`),
    );
  expect(problems).toEqual([]);
  expect(findColours('color="orange" c="red.7" var(--mantine-color-red-6) "#needs-you" "rendered"')).toHaveLength(3);
});

/** Classes that a selector styles wherever they are: it has no other element in it. */
function findOwned(css: string): ReadonlySet<string> {
  const selectors = [...css.matchAll(/([^{}]+)\{/g)].flatMap(([, list = ""]) => list.split(/,(?![^(]*\))/));
  const alone = selectors.map((selector) => selector.trim().replace(/^\[data-mantine-color-scheme[^\]]*\]\s+/, ""));
  return new Set(alone.flatMap((selector) => /^\.([\w-]+)[^\s>+~]*$/.exec(selector)?.[1] ?? []));
}

test("a class is styled by one style sheet: all of them come as one file", () => {
  const owners = new Map<string, string[]>();
  for (const { file, text } of sources.filter((each) => each.file.endsWith(".css")))
    for (const name of findOwned(text)) owners.set(name, [...(owners.get(name) ?? []), file]);
  const shared = [...owners].filter(([, files]) => files.length > 1);
  expect(shared.map(([name, files]) => `.${name}: rename it in one of ${files.join(", ")}`)).toEqual([]);
  expect([...findOwned(".one:hover, .two .three, .four > li { } @media print { .five[data-x] { } }")]).toEqual([
    "one",
    "five",
  ]);
});
