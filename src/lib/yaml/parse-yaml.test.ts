import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseYaml } from "./parse-yaml.ts";

const read = (text: string): unknown => {
  const found = parseYaml(text);
  return found.kind === "value" ? found.value : `${found.line}: ${found.why}`;
};

const written: readonly string[] = [
  "depends_on:\n  - task-1\n  - task-2\n",
  "depends_on:\n- task-1\n- task-2\nother: 1\n",
  "depends_on: [task-1, 'task-2', \"task-3\"] # why\n",
  "depends_on: [\n  task-1,\n  task-2, # why\n]\n",
  "---\n# settings\nagents:\n  claude:\n    model: opus\n    command: [\"a\", 'it''s']\n\nserve: {host: 127.0.0.1, port: 80}\n...\n",
  "- a: 1\n  b: 2\n-\n  c: ~\n- - x\n  - y\n-\n",
  "text: |\n  one\n   two\n\n  three\n\nnext: >-\n  one\n  two\n\n  three\n    four\n  five\n",
  "keep: |+\n  a\n\nstrip: |-\n  a\n\nindent: |2\n    a\n",
  'plain: over\n  two lines\n\n  and a paragraph\nquoted: "a\\tb\\u00e9 \\\n   c\n\n  d"\n',
  "numbers: [1, -1.5, 1e3, 0x1f, 0o17, .5, .inf, +3, 1_0]\nwords: [yes, no, on, True, NULL, ~, 2026-11-19]\n",
  "url: https://example.com/a#b\nhash: a#b # c\ncolon: a:b\ndash: -1\nempty:\nlast: x",
  "a : 1\n\"b\" : 2\n'c':\n  d\n",
  "\r\na: 1\r\nb:\r\n  - c\r\n",
  '{\n\t"a": [\n\t\t1,\n\t\t{ "b"\n\t:\n\t2 }\n\t] # why\n}\n',
  "a: [\n \t# why\n  \tb\n \t,\n \tc ]\nd: 1\n",
  "--- {a: 1}\n",
  "--- a\n",
  "---\ta\nb # c\n...\n",
  "--- # why\na: 1\n",
  '--- "a\n  b"\n',
  "--- |\n  a\n  b\n",
  "just a text",
  "",
];

test.each(written)("%j is read as any reader of YAML reads it", (text) => expect(read(text)).toEqual(parse(text)));

test.each([
  ["a: &x 1", "1: Anchors, aliases and tags are not read. Write the value itself."],
  ["a: 1\nb: *x", "2: Anchors, aliases and tags are not read. Write the value itself."],
  ["a: !!js/function x", "1: Anchors, aliases and tags are not read. Write the value itself."],
  ["a: 1\na: 2", "2: This key is there twice."],
  ["a: b: c", "1: Text with a colon and a space in it goes in quotes."],
  ["a:\n\tb: 1", "2: A tab stands where spaces are needed."],
  ['a: "b', "1: This text does not end. Close it with a quote."],
  ["a: [b", "1: This does not end. Close it with ]."],
  ["{a:", "1: This does not end. Close it with }."],
  ["a: {b:\n", "1: This does not end. Close it with }."],
  ["{a: &x 1}", "1: Anchors, aliases and tags are not read. Write the value itself."],
  ["--- a: 1", "1: A mapping or a list begins on the line below ---."],
  ["--- - a", "1: A mapping or a list begins on the line below ---."],
  ["--- a\n--- b", "2: Only one document is read."],
  ["a: 1\n  b: 2", "2: Text with a colon and a space in it goes in quotes."],
  ["a: 1\n---\nb: 2", "2: Only one document is read."],
  ["null: 1", "1: This key is not text. Put it in quotes."],
  [`${"[".repeat(40)}`, "1: Values are nested too deeply."],
  [`${"- ".repeat(40)}`, "1: Values are nested too deeply."],
])("%j is refused with its line: %s", (text, why) => expect(read(text)).toBe(why));

test("a key that every object has is a key like others", () => {
  const value = read("__proto__: 1\nconstructor: 2\n");
  expect(Object.entries(value as object)).toEqual([
    ["__proto__", 1],
    ["constructor", 2],
  ]);
});

const pieces = fc.constantFrom(
  ...[
    "a",
    "b",
    "key",
    "1",
    "1.5",
    "null",
    "true",
    "a b",
    "- ",
    "-",
    ": ",
    ":",
    "? ",
    "\n",
    "\n",
    "\n  ",
    "\n  ",
    "\n    ",
  ],
  ...["\n- ", "\n  - ", " ", "  ", "\t", "#", " # c", '"', "'", '"x"', "'y'", "[", "]", "{", "}", ", ", "|", ">", "|-"],
  ...[
    "\n---\n",
    "--- ",
    "\n\t",
    "\n...\n",
    "\\",
    "\\n",
    "&",
    "*",
    "!",
    "%",
    "@",
    "`",
    "k: v",
    "\nk: v",
    "\n  m: w",
    ": |\n  t\n",
    ": >\n    t\n  ",
  ],
);

property.prop([fc.array(pieces, { maxLength: 25 }).map((parts) => `${parts.join("").trimEnd()}\n`)], {
  numRuns: 3_000,
})("what it reads, YAML reads the same", (text) => {
  const found = parseYaml(text);
  if (found.kind === "fault") return;
  let other: unknown;
  try {
    other = parse(text, { logLevel: "error" });
  } catch {
    // The other reader wants closing brackets deeper than what holds them.
    return;
  }
  expect(found.value).toEqual(other);
});
