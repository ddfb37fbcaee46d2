import { expect, test } from "vitest";
import { refuseForAgent } from "./run-input.ts";

const given = [
  ["writes that are staged", { writeMode: "per_write" }, null],
  ["a choice of tools", { allowedTools: ["read_document"] }, null],
  ["a model", {}, { planner: "openai/gpt-6-luna" }],
] as const;

test.for(given)("%s would do nothing for an agent: refused; a planner takes them", ([, permission, models]) => {
  expect(() => refuseForAgent("agent", permission, models)).toThrow(/^body\..*: an agent /);
  expect(() => refuseForAgent("planner", permission, models)).not.toThrow();
});

test("an agent takes what is as usual", () => {
  expect(() => refuseForAgent("agent", { writeMode: "autopilot", allowedTools: null }, null)).not.toThrow();
});
