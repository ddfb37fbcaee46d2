import { expect, test } from "vitest";
import { allowanceOf, allows, describeFindings, guardFiles, isCredentialPath } from "./file-guard.ts";
import type { FileChange } from "./work.ts";

const changed = (path: string, change: FileChange["change"] = "modified"): FileChange => ({
  path,
  change,
  added: null,
  removed: null,
});
const deleted = (count: number) => Array.from({ length: count }, (_, n) => changed(`f${n}.txt`, "deleted"));

test.each([
  ".env",
  ".env.production",
  "config/.env.local",
  "deploy/id_ed25519",
  "server.pem",
  ".npmrc",
  ".aws/config",
  "home/.ssh/known_hosts",
  "secrets.yaml",
  "service-account-prod.json",
])("%s looks like credentials", (path) => expect(isCredentialPath(path)).toBe(true));

test.each([
  ".env.example",
  ".env.sample",
  "src/env.ts",
  "keys.md",
  "environment.yml",
  "src/secrets.test.ts",
  "monkey.ts",
])("%s does not", (path) => expect(isCredentialPath(path)).toBe(false));

test.each([
  [5, []],
  [6, ["mass_deletion"]],
])("%i deleted files: %j", (count, kinds) => {
  expect(guardFiles(deleted(count), [], []).map(({ kind }) => kind)).toEqual(kinds);
});

test("what was allowed once is not asked about again; one more of the same kind is", () => {
  const allowed = [allowanceOf("credentials", ".env")];
  expect(guardFiles([changed(".env")], [], allowed)).toEqual([]);
  expect(guardFiles([changed(".env"), changed(".npmrc")], [], allowed)).toEqual([
    { kind: "credentials", paths: [".npmrc"] },
  ]);
});

test("a question names ten paths and counts the others", () => {
  const text = describeFindings(guardFiles(deleted(12), ["/etc/passwd"], []));
  expect(text).toContain("It deleted 12 files");
  expect(text).toContain("- and 2 more");
  expect(text).toContain("- /etc/passwd");
});

test.each([
  ["allow", true],
  ["Allow it.", true],
  ["yes", true],
  ["allow only .env.example", false],
  ["yes?", false],
  ["undo", false],
  ["", false],
])("“%s” allows: %s", (answer, expected) => expect(allows(answer)).toBe(expected));
