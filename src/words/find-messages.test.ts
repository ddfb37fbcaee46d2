import { describe, expect, test } from "vitest";
import { findMessages } from "./find-messages.ts";

function check(source: string, expected: readonly string[], file = "web/src/ui/some-page.tsx"): void {
  expect(findMessages(file, source).map(({ text }) => text)).toEqual(expected);
}

describe("between tags", () => {
  test("words over several lines are one sentence", () =>
    check("const a = <p>\n  Nothing is written\n  until you approve.\n</p>;", [
      "Nothing is written until you approve.",
    ]));
  test("a value has a number", () => check("const a = <p>{done} of {all} steps</p>;", ["{0} of {1} steps"]));
  test("a link in the middle belongs to the sentence", () =>
    check('const a = <p>Set up under <Link to="/x">Channels {n}</Link>{" "}now.</p>;', [
      "Set up under <0>Channels {1}</0> now.",
    ]));
  test("an element without words has a place in the sentence", () =>
    check("const a = <p>Press <kbd>{key}</kbd> twice.</p>;", ["Press <0/> twice."]));
  test("an icon at the edge is no part of it", () => check("const a = <p><Icon /> Save</p>;", [" Save"]));
  test("a link or a time at the edge is", () =>
    check("const a = <p>\n  <Link>This</Link> was changed <Time at={at} />\n</p>;", ["<0>This</0> was changed <1/>"]));
  test("another component ends a sentence", () =>
    check("const a = <p>Before<Table>Inside</Table>After</p>;", ["Before", "Inside", "After"]));
  test("one of two words is a choice", () =>
    check('const a = <p>{n} {n === 1 ? "needs" : "need"} you</p>;', ["{0} {1:needs|need} you"]));
  test("a word in small letters that is shown", () => check('const a = <p>{isNew && "new"}</p>;', ["new"]));
  test("words in the attributes of what stands in a sentence", () =>
    check('const a = <p>See <a title="A page">this</a>.</p>;', ["See <0>this</0>.", "A page"]));
  test("only values are no words", () => check("const a = <p>{title} · {n}</p>;", []));
});

describe("attributes and properties", () => {
  test.each(["aria-label", "title", "placeholder", "label", "description", "confirmLabel"])("%s is read", (name) =>
    check(`const a = <Field ${name}="name" />;`, ["name"]),
  );
  test.each(["className", "data-testid", "id", "to", "variant", "key"])("%s is not", (name) =>
    check(`const a = <Field ${name}="Two words" />;`, []),
  );
  test("an unknown one by what it says", () =>
    check('const a = <Field kind="task" of="Two words" is={open ? "Open" : "closed"} />;', ["Two words", "Open"]));
  test("keys are not read", () => check('const a = { "Two words": 1, label: "one" };', ["one"]));
});

describe("texts in code", () => {
  test("with values, in the order of the source", () =>
    check("const a = `Sent ${n} of ${all ? `all ${all}` : more}.`;", ["Sent {0} of {1}.", "all {0}"]));
  test("put together with +", () =>
    check('const a = "Nothing " + name + " was" + " found";', ["Nothing {0} was found"]));
  test("a noun that is counted has both forms", () =>
    check('const a = [counted(n, "task"), counted(n, "match|matches")];', ["task|tasks", "match|matches"]));
  test("keys, addresses, styles, queries and headers are not read", () =>
    check(
      'const a = ["in_progress", "task", `/runs/${id}`, "https://a.example", "1px solid red", "select a from b", "no-cache, private", "run.title"];',
      [],
    ));
  test("what is compared, looked up or logged is not read", () =>
    check(
      'if (key === "Two words" || all.includes("Two words")) logger.info("Two words"); switch (a) { case "Two words": b["Two words"]; } "Two words".split(" ");',
      [],
    ));
  test("types, imports, mistakes of programmers and tagged templates are not read", () =>
    check('import a from "Two words"; type A = "Two words"; throw new Error(sql`select two words`);', []));
  test("texts behind `as` and `satisfies` are", () =>
    check('const a = { one: "Two words" } satisfies B, b = "Three more words" as string;', [
      "Two words",
      "Three more words",
    ]));
  test("colours are not", () =>
    check('const stateColors = { done: "Green" }; function colorOf() { return "Dark blue"; }', []));
  test("the language of numbers and dates is marked", () =>
    expect(findMessages("a.ts", 'n.toLocaleString("en", { month: "long" })')).toMatchObject([{ place: "locale" }]));
});

test("a table that is called words may say one word in small letters", () =>
  check('const endingWords = { done: ["done", 1] }, ends = { done: "done" };', ["done"]));

test("in a file of words, tables may say one word in small letters, and functions not", () =>
  check(
    'const a = { done: "done" }; function b() { return a ? "done" : "quite done"; }',
    ["done", "quite done"],
    "a-words.ts",
  ));
