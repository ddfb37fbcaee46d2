import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { type EgressState, mayCall, mayFollow, type ToolTag } from "./egress.ts";
import { urlsIn } from "./web-address.ts";

const tainted: EgressState = {
  hasReadUntrusted: true,
  hasSeenPrivate: true,
  asksComposed: false,
  userUrls: urlsIn("Compare https://shop.example/prices with http://other.example:8080/list?page=2."),
  searchUrls: ["https://found.example/article"],
  approvedDestinations: [],
};

const fetching: readonly ToolTag[] = ["untrusted", "egress"];

function check(destination: string | null, changes: Partial<EgressState> = {}, tags = fetching): string {
  return mayCall(tags, destination, { ...tainted, ...changes }).kind;
}

describe("before a run has both read strangers' text and seen private things, it may go anywhere", () => {
  test("with nothing read", () => {
    expect(check("https://free.example/", { hasReadUntrusted: false })).toBe("allowed");
  });
  test("with nothing private seen", () => {
    expect(check("https://free.example/", { hasSeenPrivate: false })).toBe("allowed");
  });
  test("also where the place cannot be told", () => {
    expect(check(null, { hasReadUntrusted: false })).toBe("allowed");
  });
});

describe("after that, a page is open", () => {
  test("that the user named", () => {
    expect(check("https://shop.example/prices")).toBe("allowed");
    expect(check("http://other.example:8080/list?page=2")).toBe("allowed");
  });
  test("that the search returned", () => {
    expect(check("https://found.example/article")).toBe("allowed");
  });
  test("of an origin that the user approved", () => {
    expect(check("https://free.example/a?b", { approvedDestinations: ["https://free.example"] })).toBe("allowed");
  });
  test("written differently, where the request is the same", () => {
    expect(check("HTTPS://SHOP.example:443/prices#top")).toBe("allowed");
  });
});

describe("after that, the user is asked about", () => {
  test.each([
    "https://shop.example/",
    "https://shop.example/prices?leak=1",
    "https://shop.example/prices/",
    "https://shop.example:8443/prices",
    "http://shop.example/prices",
    "https://shop.example./prices",
    "https://shop.example@evil.example/prices",
    "https://evil.example\\@shop.example/prices",
    "https://shop.example%2eevil.example/prices",
    "https://shop.example/prices%20",
    "https://shop.example/%70rices",
    "https://sh\u043ep.example/prices",
    "https://shop.example.evil.example/prices",
    "https://evil.example/#https://shop.example/prices",
    "https://evil.example/?https://shop.example/prices",
    " https://shop.example/prices",
    "https://shop.example/prices\n",
    "https://shop.\texample/prices",
  ])("%j", (url) => {
    expect(check(url)).toBe("needs_user");
  });

  test("another port of an approved origin", () => {
    expect(check("https://free.example:8443/", { approvedDestinations: ["https://free.example"] })).toBe("needs_user");
  });
  test("a host that begins like an approved one", () => {
    expect(check("https://free.example.evil/", { approvedDestinations: ["https://free.example"] })).toBe("needs_user");
  });
  test("a place that cannot be told, whatever was approved", () => {
    expect(check(null, { approvedDestinations: ["null", ""] })).toBe("needs_user");
  });
  test("a search, unless it was approved", () => {
    expect(check("search:brave")).toBe("needs_user");
    expect(check("search:brave", { approvedDestinations: ["search:brave"] })).toBe("allowed");
  });
  test("a tool of a server, unless this very tool was approved", () => {
    expect(check("mcp:mail/send")).toBe("needs_user");
    expect(check("mcp:mail/send", { approvedDestinations: ["mcp:mail/read"] })).toBe("needs_user");
    expect(check("mcp:mail/send", { approvedDestinations: ["mcp:mail/send"] })).toBe("allowed");
  });
});

test("tools that carry nothing out are never asked about", () => {
  expect(check(null, {}, ["private", "untrusted", "destructive"])).toBe("allowed");
});

test("the question names the whole address, and a yes counts for its origin", () => {
  const decision = mayCall(fetching, "https://Free.example/a?b=c", tainted);
  expect(decision).toMatchObject({ approval: "https://free.example" });
  expect(decision.kind === "needs_user" && decision.question).toContain("https://free.example/a?b=c");
});

test("a yes to what cannot be read approves nothing for later", () => {
  expect(mayCall(fetching, "https://a@b/", tainted)).toMatchObject({ approval: null });
  expect(mayCall(fetching, "mcp:x\nhttps://evil.example", tainted)).toMatchObject({ approval: null });
});

const requestOf = (url: string): string => new URL(url).href.split("#")[0] ?? "";
const given = fc
  .webUrl({ withQueryParameters: true, validSchemes: ["http", "https"] })
  .filter((url) => URL.canParse(url));
const strange = fc.oneof(
  fc.constantFrom(
    "\\",
    "\t",
    "\n",
    "@",
    "%",
    ".",
    "#",
    "?",
    "/",
    ":",
    "\u3002",
    "\u200b",
    "\uff0e",
    "%2e",
    "%00",
    "A",
    "a",
  ),
  fc.string({ unit: "binary", minLength: 1, maxLength: 3 }),
);

/** Replaces, inserts or deletes at one place. */
const changed = fc
  .record({ url: given, at: fc.nat(), by: strange, drop: fc.integer({ min: 0, max: 2 }) })
  .map(({ url, at, by, drop }) => {
    const place = at % (url.length + 1);
    return { url, other: url.slice(0, place) + by + url.slice(place + drop) };
  });

property.prop([changed], { numRuns: 2_000 })(
  "nothing passes for an allowed address that would be another request",
  ({ url, other }) => {
    const state = { ...tainted, userUrls: [url], searchUrls: [] };
    if (mayCall(fetching, other, state).kind === "allowed") expect(requestOf(other)).toBe(requestOf(url));
  },
);

describe("where the operator wants it, before any stranger was read", () => {
  const careful = { hasReadUntrusted: false, asksComposed: true };
  test("an address that the run composed is asked about, by its origin", () => {
    expect(mayCall(fetching, "https://free.example/?d=secret", { ...tainted, ...careful })).toMatchObject({
      kind: "needs_user",
      fear: "composed",
      approval: "https://free.example",
    });
    expect(check("https://shop.example/prices?leak=1", careful)).toBe("needs_user");
  });
  test("what the user named, the search found or the user allowed is open", () => {
    expect(check("https://shop.example/prices", careful)).toBe("allowed");
    expect(check("https://found.example/article", careful)).toBe("allowed");
    expect(check("https://free.example/b", { ...careful, approvedDestinations: ["https://free.example"] })).toBe(
      "allowed",
    );
  });
  test("services are the operator's choice, and what cannot be read is no service", () => {
    expect(check("search:brave", careful)).toBe("allowed");
    expect(check("mcp:github/create_issue", careful)).toBe("allowed");
    expect(check("ftp://free.example/", careful)).toBe("needs_user");
    expect(check(null, careful)).toBe("needs_user");
  });
  test("a redirect of a composed address stays where the user allowed it", () => {
    const state = { ...tainted, ...careful, approvedDestinations: ["https://allowed.example"] };
    expect(mayFollow("https://allowed.example/?q=a", "https://elsewhere.example/?q=a", state)).toBe(false);
    expect(mayFollow("https://found.example/article", "https://elsewhere.example/", state)).toBe(true);
  });
  test("once strangers were read, theirs is the reason that is told", () => {
    expect(mayCall(fetching, "https://free.example/", { ...tainted, asksComposed: true })).toMatchObject({
      fear: "strangers",
    });
  });
});

describe("a redirect", () => {
  const state = { ...tainted, approvedDestinations: ["https://allowed.example"] };
  test("of an address that was given whole is followed wherever it leads", () => {
    expect(mayFollow("https://found.example/article", "https://www.found.example/article", state)).toBe(true);
  });
  test("of an address the run put together stays where sending was allowed", () => {
    expect(mayFollow("https://allowed.example/?q=secret", "https://allowed.example/results", state)).toBe(true);
    expect(mayFollow("https://allowed.example/?to=x", "https://elsewhere.example/?q=secret", state)).toBe(false);
  });
  test("is followed anywhere while nothing of strangers was read", () => {
    const untainted = { ...state, hasReadUntrusted: false };
    expect(mayFollow("https://free.example/", "https://elsewhere.example/", untainted)).toBe(true);
  });
});

property.prop([given, fc.nat(), fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789")])(
  "no letter of an allowed address can be exchanged",
  (url, at, letter) => {
    const letters = [...url.matchAll(/[a-z0-9]/gi)].map((match) => match.index);
    const place = letters[at % letters.length] ?? 0;
    const other = url.slice(0, place) + letter + url.slice(place + 1);
    fc.pre(other.toLowerCase() !== url.toLowerCase());
    fc.pre(URL.canParse(other) && requestOf(other) !== requestOf(url)); // 00 and 01 may be one port, /%61/.. goes away
    expect(mayCall(fetching, other, { ...tainted, userUrls: [url], searchUrls: [] }).kind).toBe("needs_user");
  },
);

property.prop([fc.string({ unit: "binary" }), fc.array(fc.string({ unit: "binary" }))])(
  "no word but a web address or a service's name can be approved",
  (destination, approvedDestinations) => {
    fc.pre(!/^(https?|mcp|search):/i.test(destination));
    expect(check(destination, { approvedDestinations: [...approvedDestinations, destination] })).toBe("needs_user");
  },
);
