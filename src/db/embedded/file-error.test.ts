import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withAdvice } from "./file-error.ts";

function adviceFor(work: () => void) {
  return expect(withAdvice("/the/folder", async () => work()));
}

const refusal = (code: string) => Object.assign(new Error(code), { code, path: "/the/folder/file" });

test.runIf(process.platform === "linux")("a full disk: free some space", () =>
  adviceFor(() => writeFileSync("/dev/full", "x")).rejects.toMatchObject({
    code: "database_unavailable",
    message: expect.stringMatching(/\/the\/folder is full.*Free some space/),
  }),
);

test("a file that is not ours: whose it has to be", () =>
  adviceFor(() => {
    throw refusal("EACCES");
  }).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringMatching(/may not use \/the\/folder\/file.*chown/),
  }));

test("a read-only disk: another folder", () =>
  adviceFor(() => {
    throw refusal("EROFS");
  }).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringMatching(/read-only.*another data folder/),
  }));

test("anything else is a bug and comes out as it is", () =>
  adviceFor(() => {
    throw refusal("EISDIR");
  }).rejects.toMatchObject({ code: "EISDIR" }));
