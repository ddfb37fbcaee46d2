import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { expectEvenGrowth } from "../../../test/helpers/even-growth.ts";
import { normalUrl, originOf, urlsIn } from "./web-address.ts";

describe("one address, one form", () => {
  test.each([
    ["HTTPS://Example.COM/A", "https://example.com/A"],
    ["https://example.com", "https://example.com/"],
    ["https://example.com:443/a", "https://example.com/a"],
    ["http://example.com:8080/a", "http://example.com:8080/a"],
    ["https://example.com/a#part", "https://example.com/a"],
    ["https://münchen.example/ü", "https://xn--mnchen-3ya.example/%C3%BC"],
    ["https://example.com/a/../b", "https://example.com/b"],
  ])("%s", (text, normal) => {
    expect(normalUrl(text)).toBe(normal);
  });

  test("of which the origin is scheme, host and port", () => {
    expect(originOf("https://Example.com:8443/a?b")).toBe("https://example.com:8443");
  });
});

test.each([
  ["another scheme", "ftp://example.com/"],
  ["no scheme", "example.com/a"],
  ["no slashes", "https:example.com"],
  ["three slashes", "https:///example.com"],
  ["a user", "https://user@example.com/"],
  ["an empty user", "https://@example.com/"],
  ["a password", "https://a:b@example.com/"],
  ["a backslash", "https://example.com\\@evil.example/"],
  ["a tab", "https://exam\tple.com/"],
  ["a line end", "https://example.com/\n"],
  ["a space around", " https://example.com/"],
  ["a space inside", "https://example.com/a b"],
  ["a zero-width space", "https://example.com/a\u200bb"],
  ["a direction mark", "https://example.com/\u202ea"],
  ["an escaped host", "https://ex%61mple.com/"],
  ["a dot at the end of the host", "https://example.com./"],
  ["an ideographic dot at its end", "https://example.com\u3002/"],
  ["another sign in the host", "https://example.com;evil.example/"],
  ["an empty label in the host", "https://example..com/"],
  ["no host", "https://?a"],
  ["a port that is none", "https://example.com:99999/"],
  ["endless length", `https://example.com/${"a".repeat(2_100)}`],
])("an address with %s is none", (_name, text) => {
  expect(normalUrl(text)).toBeNull();
});

describe("addresses in a text", () => {
  test.each([
    ["See https://a.example/x.", ["https://a.example/x"]],
    ["(https://a.example/x)", ["https://a.example/x"]],
    ["[here](https://a.example/x), and", ["https://a.example/x"]],
    ["https://a.example/wiki/Foo_(bar)", ["https://a.example/wiki/Foo_(bar)"]],
    ["<https://a.example/x>", ["https://a.example/x"]],
    ['"https://a.example/x"', ["https://a.example/x"]],
    ["https://a.example/x?a=1&b=2!", ["https://a.example/x?a=1&b=2"]],
    ["https://a.example/\u3002次", ["https://a.example/"]],
    ["https://a.example https://A.example/", ["https://a.example/"]],
    ["http://user@a.example/ and javascript:alert(1)", []],
  ] as const)("%s", (text, urls) => {
    expect(urlsIn(text)).toEqual(urls);
  });

  test("are bounded", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `https://a.example/${index}`).join(" ");
    expect(urlsIn(many)).toHaveLength(500);
  });

  test.each(["http://", "https://a", "https://a.example/)", `https://a/${")".repeat(2_000)} `, "."])(
    "are found in time that grows evenly with the text: %j",
    (text) => expectEvenGrowth(600_000, (size) => urlsIn(text.repeat(size / text.length))),
  );
});

property.prop([fc.webUrl({ withQueryParameters: true })])("every address found is in its normal form", (url) => {
  for (const found of urlsIn(`see ${url} there`)) expect(normalUrl(found)).toBe(found);
});
