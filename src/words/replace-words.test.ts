import { describe, expect, test } from "vitest";
import { replaceFrameWords } from "./page-frame.ts";
import { replaceWords } from "./replace-words.ts";

function check(source: string, texts: Readonly<Record<string, string>>, expected: string | null): void {
  const wanted = { language: "de", translate: (text: string) => texts[text] ?? null };
  expect(replaceWords("web/src/a.tsx", source, wanted)).toBe(expected);
}

describe("a translation", () => {
  test("puts values in its own order", () =>
    check(
      "const a = `${n} of ${all} steps`;",
      { "{0} of {1} steps": "Von {1} Schritten {0}" },
      "const a = `Von ${all} Schritten ${n}`;",
    ));
  test("puts elements in its own order, with their attributes", () =>
    check(
      'const a = <p>See <a href="/x" title="A page">this {n}</a> now</p>;',
      { "See <0>this {1}</0> now": "Jetzt <0>{1} dies</0>", "A page": "Eine Seite" },
      'const a = <p>{"Jetzt "}<a href="/x" title={"Eine Seite"}>{n}{" dies"}</a></p>;',
    ));
  test("has its own forms of one and many, or none", () => {
    const source = 'const a = `${n} ${n === 1 ? "task" : "tasks"}`;';
    check(
      source,
      { "{0} {1:task|tasks}": "{0} {1:Aufgabe|Aufgaben}" },
      'const a = `${n} ${(n === 1) ? "Aufgabe" : "Aufgaben"}`;',
    );
    check(source, { "{0} {1:task|tasks}": "Aufgaben: {0}" }, "const a = `Aufgaben: ${n}`;");
  });
  test("is replaced inside of the values of another text, too", () =>
    check(
      "const a = `At ${b ? `the end` : c}`;",
      { "At {0}": "Am {0}", "the end": "Ende" },
      'const a = `Am ${b ? "Ende" : c}`;',
    ));
  test("may hold any character", () =>
    check(
      "const a = <b>Two words {n}</b>, b = `Two ${n} more`;",
      { "Two words {0}": '<"{x}">{0}', "Two {0} more": "`${y}\\{0}" },
      'const a = <b>{"<\\"{x}\\">"}{n}</b>, b = `\\`\\${y}\\\\${n}`;',
    ));
  test("says in which language numbers and dates are written", () =>
    check('const a = n.toLocaleString("en");', {}, 'const a = n.toLocaleString("de");'));
  test("leaves English what it lacks", () => check('const a = "Two words";', {}, null));
  test.each(["Von {0}", "Von {1} {2}", "Von <1>{0}</1>", "Von {0:a|b} {1}"])(
    "that does not fit is left out: %s",
    (text) => check("const a = `${n} of ${all}`, b = `from ${n} on to ${m}`;", { "from {0} on to {1}": text }, null),
  );
  test("that does not close an element is left out", () =>
    check("const a = <p>See <a>this</a> now</p>;", { "See <0>this</0> now": "Siehe <0>dies" }, null));
});

test("the page begins with its language", () => {
  const html = '<html lang="en"><meta name="description" content="One thing" /><noscript>Another</noscript>';
  const translate = (text: string) => ({ "One thing": 'Ein "Ding"' })[text] ?? null;
  expect(replaceFrameWords(html, { language: "de", translate })).toBe(
    '<html lang="de"><meta name="description" content="Ein &quot;Ding&quot;" /><noscript>Another</noscript>',
  );
});
