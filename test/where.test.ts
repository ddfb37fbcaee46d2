// What ARCHITECTURE.md and docs/where.md name is there: a file that moves takes its line along.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const named = /`([\w@.{},/-]+(?:\.(?:tsx?|m?js|sql|md|css)|\/))`/g;

/** `a/{b,c}.ts` is two files. */
function spell(name: string): readonly string[] {
  const [whole, choices = ""] = /\{([^}]*)\}/.exec(name) ?? [];
  return whole === undefined ? [name] : choices.split(",").flatMap((each) => spell(name.replace(whole, each)));
}

/** Names in one row or paragraph that are nowhere. A name without a folder lies beside the one before it. */
function findMissing(text: string): readonly string[] {
  const places = ["", "src"];
  const missing: string[] = [];
  for (const name of [...text.matchAll(named)].flatMap(([, name = ""]) => spell(name))) {
    const place = places.findLast((folder) => existsSync(path.join(folder, name)));
    if (place === undefined) missing.push(name);
    else places.push(path.join(place, name, name.endsWith("/") ? "." : ".."));
  }
  return missing;
}

test.each([
  ["ARCHITECTURE.md", /\n\n|\n(?=\|)/],
  ["docs/where.md", /\n/],
])("%s names only files that are there", (file, between) => {
  const missing = readFileSync(file, "utf8").split(between).flatMap(findMissing);
  expect(missing.map((name) => `correct or remove ${name}`)).toEqual([]);
});

test("a file that is not there is noticed, also beside one that is", () => {
  const text = "`src/lib/env.ts`, `json.ts`, `no-such.ts`; `src/{lib,nowhere}/`; `lib/env.ts`, not `a word`";
  expect(findMissing(text)).toEqual(["no-such.ts", "src/nowhere/"]);
});
