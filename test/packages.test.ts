import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { judgeAudit, judgeLock } from "../scripts/judge-packages.ts";

test("every package of the lock file is pinned by a SHA-512, and one that is not is named", () => {
  const text = readFileSync("package-lock.json", "utf8");
  expect(judgeLock(text)).toEqual([]);
  const { packages } = JSON.parse(text);
  packages["node_modules/zod"].integrity = "sha1-AAAA";
  expect(judgeLock(JSON.stringify({ packages }))).toEqual(["node_modules/zod"]);
});

test("of what the registry knows, high and critical faults count; no answer is said to be none", () => {
  const vulnerabilities = {
    a: { severity: "moderate", range: "<2" },
    b: { severity: "critical", range: "<=1.4.0" },
  };
  expect(judgeAudit(`npm warn something\n${JSON.stringify({ vulnerabilities })}`)).toEqual({
    faults: ["b <=1.4.0: a known fault of critical severity (npm audit)"],
    note: null,
  });
  for (const output of ['{"message": "405 Method Not Allowed"}', "", "npm error network"])
    expect(judgeAudit(output)).toMatchObject({ faults: [], note: expect.stringContaining("NOT looked for") });
});
