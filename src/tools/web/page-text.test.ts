import { describe, expect, test } from "vitest";
import { expectEvenGrowth } from "../../../test/helpers/even-growth.ts";
import { parsePage } from "./parse-page.ts";
import { stripTags } from "./strip-tags.ts";

const url = "https://a.example/dir/page";

describe("a page as text", () => {
  test("keeps headings, lists, code, quotes and tables apart", () => {
    const html = `<body><h2>Head</h2><p>One  two</p><ul><li>a</li><li>b</li></ul><pre>x\n  y</pre>
      <blockquote>said</blockquote><table><tr><td>1</td><td>2</td></tr></table></body>`;
    const { text } = parsePage(html, url);
    expect(text).toContain("## Head\n\nOne two");
    expect(text).toContain("- a\n\n- b");
    expect(text).toContain("```\nx\n  y\n```");
    expect(text).toContain("> said");
    expect(text).toMatch(/\| 1 +\| 2/);
  });

  test.each([
    "<p hidden>secret</p>",
    '<p aria-hidden="true">secret</p>',
    '<p style="color:red; display : none">secret</p>',
    '<p style="visibility:hidden">secret</p>',
    '<p style="font-size:0">secret</p>',
    `<p style="${"color:red;".repeat(80)}display:none">secret</p>`,
    "<script>secret</script>",
    "<template>secret</template>",
    "<!-- secret -->",
  ])("leaves out what people would not see: %s", (html) => {
    expect(parsePage(`<body><p>seen</p>${html}</body>`, url).text).toBe("seen");
  });

  test("makes links absolute, by the page's own base, and at most sixty", () => {
    const links = Array.from({ length: 90 }, (_, index) => `<a href="x${index}">l</a>`).join("");
    const page = parsePage(`<head><base href="/base/"></head><body><p>text</p>${links}</body>`, url);
    expect(page.links).toHaveLength(60);
    expect(page.links[0]).toEqual({ text: "l", url: "https://a.example/base/x0" });
  });

  test.each([
    "<p>seen</p>",
    "<!doctype html><title>T</title><p>seen</p>",
    "<html><head><title>T</title></head><p>seen</p></html>",
    "<body><p>seen</p></body>",
    "seen",
  ])("is found where tags are left out that every page has: %s", (html) => {
    expect(parsePage(html, url)).toMatchObject({ text: "seen", title: html.includes("T</title>") ? "T" : "" });
  });

  test("of nothing is nothing", () => {
    expect(parsePage("", url)).toEqual({ title: "", text: "", links: [], isParsed: true });
  });
});

const million = 1_000_000;
const tangles: Readonly<Record<string, (size: number) => string>> = {
  "of < only": (size) => "<".repeat(size),
  "nested without end": (size) => "<div>".repeat(size / 5),
  "of tables in tables": (size) => "<table><tr><td>".repeat(size / 15),
  "of one tag with very many attributes": (size) =>
    `<p ${Array.from({ length: size / 10 }, (_, index) => `a${index}=1`).join(" ")}>x`,
  "of elements that contain each other": (size) => "<b><i>x</b>".repeat(size / 11),
};

describe("a page that would take too long is not taken apart", () => {
  test.each(Object.keys(tangles))("%s", (name) => {
    expect(parsePage(tangles[name]?.(2 * million) ?? "", url).isParsed).toBe(false);
  });

  test("and its text is given all the same", () => {
    expect(parsePage(`<title>Deep</title>${"<div>".repeat(5_000)}<p>the bottom</p>`, url)).toEqual({
      title: "Deep",
      text: "the bottom",
      links: [],
      isParsed: false,
    });
  });

  test("and one with very many parts is read as a whole, without a look for its article", () => {
    const html = `<nav>menu</nav><article><p>${"words of the article ".repeat(20)}</p></article>${"<p>row".repeat(16_000)}`;
    const { text, isParsed } = parsePage(html, url);
    expect([isParsed, text.includes("words of the article"), text.endsWith("row")]).toEqual([true, true, true]);
  });

  test.each([
    ["a list of which no item is closed", `<ul>${"<li>item".repeat(1_000)}</ul>`],
    ["paragraphs of which none is closed", "<p>words".repeat(1_000)],
    ["a long table", `<table>${"<tr><td>1<td>2</tr>".repeat(1_000)}</table>`],
    ["many pictures and lines", "<img src=x>words<br>".repeat(1_000)],
    ["a picture in its text", `<p>words<img src="data:image/png;base64,${"A".repeat(200_000)}"></p>`],
  ])("but %s is", (_, html) => {
    expect(parsePage(html, url).isParsed).toBe(true);
  });
});

describe("text without tags", () => {
  test("has its lines, its title and its signs", () => {
    const html =
      "<TITLE>A &amp; B</TITLE><style>x</style><p>One&nbsp;two</p><p>3 &lt; 4 &#x41;</p><script>y</script>end";
    expect(stripTags(html)).toEqual({ title: "A & B", text: "One two\n3 < 4 A\nend" });
  });

  test.each(["<", "<script>", "<!--", "<div ", "</", "&", "<title>", "<p>"])("of much of %s grows evenly", (part) =>
    expectEvenGrowth(2_000_000, (size) => stripTags(part.repeat(size / part.length))),
  );
});
