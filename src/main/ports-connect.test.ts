import { expect, test } from "vitest";
import { refuseServersSettings } from "./ports-connect.ts";

test.each([
  ["model", "flag", true],
  ["worker_concurrency", "flag", true],
  ["model", "environment", false],
  ["model", "file", false],
  ["data", "flag", false],
  ["url", "flag", false],
  ["log_level", "flag", false],
] as const)("where a server answers, %s from a %s is refused: %s", (name, source, isRefused) => {
  const ask = () => refuseServersSettings({ port: { source: "default" }, [name]: { source } }, "http://server.test");
  if (isRefused) expect(ask).toThrow(`${name} on the command line would do nothing`);
  else expect(ask).not.toThrow();
});
