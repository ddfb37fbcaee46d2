// The real programs, from npm, on the model lab: clean HOME, a key that means nothing, and no host but this machine. Which ones is
// in TEST_AGENTS (`npm run test:agents`: all of them; `npm test`: one).

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeAgent } from "./contract.ts";
import { describeTask } from "./task-contract.ts";
import { openTestedAgents, type TestedAgents, testedNames, wantedNames } from "./tested-agents.ts";

let agents: TestedAgents;
beforeAll(async () => {
  agents = await openTestedAgents();
});
afterAll(() => agents.lab.close());

test("at least one agent is tested", () => {
  expect(testedNames.length).toBeGreaterThan(0);
  expect(testedNames).toEqual(wantedNames);
});

describe.each(testedNames)("%s", (name) => {
  describeAgent("as a job", () => agents.find(name), "job");
  describe("as a task", () => describeTask(() => agents.find(name)));
});

test("no host outside was asked for, and the lab refused nothing", () => {
  expect(agents.lab.outside).toEqual([]);
  expect(agents.lab.refusals.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
});
