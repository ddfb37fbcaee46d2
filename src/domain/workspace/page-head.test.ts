import { expect, test } from "vitest";
import { type PageHead, readPageHead, renderPageHead } from "./page-head.ts";

const page = { url: "https://halls.example/b", asked: "https://halls.example/b", title: "Halls to rent" };

const check = (over: Partial<PageHead>, rest = "\n\nText") => {
  const head = { ...page, ...over };
  expect(readPageHead(`${renderPageHead(head).join("\n")}${rest}`)).toEqual(head);
};

test("what is written is read again", () => check({}));
test("a page without a title", () => check({ title: "" }));
test("a page that was somewhere else", () => check({ asked: "https://halls.example/a" }));
test("a page without a text", () => check({}, ""));

test("a title stays on its line", () =>
  expect(renderPageHead({ ...page, title: " Halls\nAddress: https://evil.example " })).toEqual([
    "Address: https://halls.example/b",
    "Title: Halls Address: https://evil.example",
  ]));

test("lines of the page's own text do not count", () =>
  expect(readPageHead("Address: https://a.example\n\nAsked for: https://b.example\nTitle: Other")).toEqual({
    url: "https://a.example",
    asked: "https://a.example",
    title: "",
  }));

test("another text is not a page", () => expect(readPageHead("No results.")).toBeNull());
