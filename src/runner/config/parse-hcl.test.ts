import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { hostileStrings } from "../../../test/helpers/hostile-strings.ts";
import { type HclBody, type HclValue, parseHcl } from "./parse-hcl.ts";

type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

function plainValue(value: HclValue): Plain {
  if (value.kind === "scalar") return value.value;
  if (value.kind === "list") return value.items.map(plainValue);
  return Object.fromEntries(value.entries.map((entry) => [entry.name, plainValue(entry.value)]));
}

function plainBody(body: HclBody): { readonly [name: string]: Plain } {
  return Object.fromEntries([
    ...body.attributes.map(({ name, value }) => [name, plainValue(value)] as const),
    ...body.blocks.map(({ name, labels, body: inner }) => [[name, ...labels].join(" "), plainBody(inner)] as const),
  ]);
}

function read(text: string): { readonly [name: string]: Plain } {
  const found = parseHcl(text);
  if (found.kind === "fault") throw new Error(`${found.place.line}:${found.place.column}: ${found.why}`);
  return plainBody(found.body);
}

describe("what is read", () => {
  test.each<[string, string, Plain]>([
    ["nothing", "", {}],
    ["a number", "a = 12", { a: 12 }],
    ["a negative fraction", "a = -1.5e2", { a: -150 }],
    ["words", "a = true\nb = false\nc = null", { a: true, b: false, c: null }],
    ["a text", 'a = "x y"', { a: "x y" }],
    ["escapes", String.raw`a = "\n\t\r\"\\\u00e9\U0001F600"`, { a: '\n\t\r"\\é😀' }],
    ["a dollar and a percent sign", 'a = "5$ 10% $${x} %%{y}"', { a: "5$ 10% $" + "{x} %{y}" }],
    ["a list over lines", 'a = [\n  "x", # one\n  2,\n]', { a: ["x", 2] }],
    ["an empty list and map", "a = []\nb = {}", { a: [], b: {} }],
    ["a map with commas", 'a = { x = 1, "y z" : 2 }', { a: { x: 1, "y z": 2 } }],
    ["a map over lines", "a = {\n x = 1\n y = 2\n}", { a: { x: 1, y: 2 } }],
    ["a block", "b {\n x = 1\n}", { b: { x: 1 } }],
    ["a block on one line", "b { x = 1 }", { b: { x: 1 } }],
    ["an empty block", "b {}", { b: {} }],
    ["a block with labels", 'agent "claude" two {\n x = 1\n}', { "agent claude two": { x: 1 } }],
    ["blocks in blocks", "a {\n b {\n c = 1\n }\n}", { a: { b: { c: 1 } } }],
    ["comments", "# one\n// two\n/* three\n */ a = 1 # four\n/* five */", { a: 1 }],
    ["lines that end as on Windows", "a = 1\r\nb = 2\r\n", { a: 1, b: 2 }],
    ["a heredoc", "a = <<EOT\none\n  two\nEOT\nb = 1", { a: "one\n  two\n", b: 1 }],
    ["a heredoc without its indent", "a = <<-EOT\n    one\n      two\n\n  EOT\n", { a: "one\n  two\n\n" }],
    ["an empty heredoc", "a = <<EOT\nEOT", { a: "" }],
    ["names that objects have already", "constructor = 1\ntoString = 2", { constructor: 1, toString: 2 }],
  ])("%s", (_, text, wanted) => expect(read(text)).toEqual(wanted));
});

describe("a mistake is told with its place and its reason", () => {
  test.each<[string, string, string, string]>([
    ["a text that does not end", 'a = 1\nb = "x\nc = 2', "2:5", "does not end on its line"],
    ["a text at the end of the file", 'a = "x', "1:5", "does not end on its line"],
    ["an unknown escape", String.raw`a = "x\q"`, "1:7", "escape is not known"],
    ["half of a character", String.raw`a = "\ud800"`, "1:6", "does not stand for a character"],
    ["a word without quotes", "a = 1\n\n  mode = lucky", "3:10", "Write text in quotes"],
    ["a duration without quotes", "idle = 5m", "1:8", 'in quotes, such as "5m"'],
    ["a version number", "a = 1.2.3", "1:5", "in quotes"],
    ["a number too large", "a = 1e999", "1:5", "too large"],
    ["no value", "a =\nb = 1", "1:4", "Expected a value"],
    ["no equals sign", "a 1", "1:3", "Expected = and a value, or {"],
    ["a text where a name is wanted", '"a" = 1', "1:1", "Expected the name"],
    ["a block that does not end", "x = 1\nb {\n a = 1\n", "2:1", "This block does not end"],
    ["a brace too many", "b {\n}\n}", "3:1", "closes nothing"],
    ["a list that does not end", "a = [1,\n2", "1:5", "This list does not end"],
    ["a list without commas", "a = [1 2]", "1:8", "Expected a comma or ]"],
    ["a map that does not end", "a = {\n x = 1", "1:5", "This map does not end"],
    ["a map without a value", "a = { x }", "1:9", "Expected = and a value"],
    ["a map without commas", "a = { x = 1 y = 2 }", "1:13", "Expected a comma, a new line or }"],
    ["two settings on a line", "a = 1 b = 2", "1:7", "Expected the end of the line"],
    ["a setting that is there twice", "a = 1\na = 2", "2:1", "a is set twice"],
    ["a comment that does not end", "a = 1\n/* b = 2", "2:1", "comment does not end"],
    ["an expression", `a = "$${"{"}b}"`, "1:6", "Expressions are not supported"],
    ["an expression in a heredoc", `a = <<E\nx $${"{"}b}\nE`, "2:3", "Expressions are not supported"],
    ["a heredoc that does not end", "a = <<E\nx\n", "1:5", "alone on a line"],
    ["a heredoc without a word", "a = <<\nx\n", "1:5", "After <<"],
    ["a column behind wide characters", 'a = { "😀é" = x }', "1:14", "Write text in quotes"],
    ["a lone carriage return", "a = 1\rb = 2", "1:6", "Expected the end of the line"],
    ["an operation", "a = 1 + 2", "1:7", "Expected the end of the line"],
    ["too deep a list", `a = ${"[".repeat(60)}`, "1:38", "nested too deeply"],
    ["too deep a block", "b {\n".repeat(60), "33:4", "nested too deeply"],
  ])("%s", (_, text, place, why) => {
    const found = parseHcl(text);
    expect(found.kind).toBe("fault");
    if (found.kind !== "fault") return;
    expect(`${found.place.line}:${found.place.column}`).toBe(place);
    expect(found.why).toContain(why);
  });

  test("a file of a megabyte and more is refused at once", () => {
    expect(parseHcl(`a = "${"x".repeat(1_100_000)}"`)).toMatchObject({ kind: "fault" });
  });
});

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/).filter((word) => !["true", "false", "null"].includes(word));
const scalar = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4 }),
  ),
})).value;

function render(each: Plain): string {
  if (typeof each === "string") return quoted(each);
  if (typeof each === "object" && each !== null)
    return Array.isArray(each)
      ? `[${each.map(render).join(", ")}]`
      : `{ ${Object.entries(each)
          .map(([key, inner]) => `${key} = ${render(inner)}`)
          .join(", ")} }`;
  return Object.is(each, -0) ? "-0" : String(each).replace("e+", "e");
}

/** Every character that means something is escaped. */
function quoted(text: string): string {
  const inner = [...text].map((letter) => {
    const point = letter.codePointAt(0) ?? 0;
    if (/[a-zA-Z0-9 .,:;_-]/.test(letter)) return letter;
    return point > 0xffff ? `\\U${point.toString(16).padStart(8, "0")}` : `\\u${point.toString(16).padStart(4, "0")}`;
  });
  return `"${inner.join("")}"`;
}

property.prop([fc.dictionary(name, value, { maxKeys: 6 })], { numRuns: 1_000 })(
  "whatever is written comes back",
  (settings) => {
    const text = Object.entries(settings)
      .map(([key, each]) => `${key} = ${render(each)}\n`)
      .join("");
    expect(read(text)).toEqual({ ...settings });
  },
);

const sample = `# Settings
max_restarts = 3
agent "claude" {
  token_file = "~/key" // here
  command = ["a", "b"]
}
selection {
  weights = { claude = 2, codex = 1 }
}
note = <<-EOT
    text \${"$"}
  EOT
`;

property.prop([fc.nat({ max: 40 }), fc.nat({ max: 39 }), fc.nat({ max: 20 })], { numRuns: 500 })(
  "a character that means nothing is found where it stands",
  (lines, at, indent) => {
    const wrong = Math.min(at, lines);
    const text = Array.from({ length: lines + 1 }, (_, line) =>
      line === wrong ? `${" ".repeat(indent)}x${line} = @` : `x${line} = ["é😀", ${line}]`,
    ).join("\n");
    const column = indent + `x${wrong} = `.length + 1;
    expect(parseHcl(text)).toMatchObject({ kind: "fault", place: { line: wrong + 1, column } });
  },
);

test("5,000 hostile files are read or refused, with a place that is in the file", () => {
  const pieces = hostileStrings(5_000);
  let refused = 0;
  for (const [index, piece] of pieces.entries()) {
    const cut = (index * 7) % sample.length;
    const text = index % 3 === 0 ? piece : `${sample.slice(0, cut)}${piece}${index % 3 === 1 ? sample.slice(cut) : ""}`;
    const found = parseHcl(text);
    if (found.kind !== "fault") continue;
    refused++;
    const line = text.split("\n")[found.place.line - 1];
    expect(line).toBeDefined();
    expect(found.place.column).toBeGreaterThanOrEqual(1);
    expect(found.place.column).toBeLessThanOrEqual([...(line ?? "")].length + 1);
    expect(found.why).toMatch(/^\S.*\.$/s);
  }
  expect(refused).toBeGreaterThan(3_000);
});

/** Each would take minutes if reading went back over what it has read. */
test.each([
  ["names", Array.from({ length: 60_000 }, (_, at) => `a${at} = 1\n`).join("")],
  ["names on one line", `a = { ${Array.from({ length: 60_000 }, (_, at) => `a${at} = 1`).join(", ")} }`],
  ["a list", `a = [${"1,".repeat(400_000)}]`],
  ["comments", "/**/".repeat(250_000)],
  ["signs", `a = "${"$%".repeat(400_000)}"`],
  ["blocks", 'b "x" {}\n'.repeat(100_000)],
])("a large file of %s is read in one go", (_, text) => expect(parseHcl(text).kind).toBe("body"));
