import { expect, test } from "vitest";
import { nextAddress } from "./next-address.ts";

const from = "https://a.example/b/c?d";

test.each([
  ["https://other.example/", "https://other.example/"],
  ["/x", "https://a.example/x"],
  ["x", "https://a.example/b/x"],
  ["?y", "https://a.example/b/c?y"],
  ["//other.example/x#z", "https://other.example/x"],
])("a redirect to %s is followed", (location, url) => {
  expect(nextAddress(from, location)).toEqual({ kind: "next", url });
});

test.each([
  "http://a.example/b",
  "HTTP://a.example/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/html,x",
  "ftp://a.example/",
  "https://user@a.example/",
  "https://a.example./",
  "https://[::1",
])("a redirect to %s is not", (location) => {
  expect(nextAddress(from, location).kind).toBe("stop");
});

test("plain http may lead to plain http and to https", () => {
  expect(nextAddress("http://a.example/", "http://b.example/").kind).toBe("next");
  expect(nextAddress("http://a.example/", "https://b.example/").kind).toBe("next");
});
