import { expect, test } from "vitest";
import { type AgentHit, findAgents } from "./search-agents.ts";

const kitchen: AgentHit = { project: "kitchen", task: null };
const tiles: AgentHit = { project: "kitchen", task: { id: "task-1", title: "Lay the kitchen tiles" } };
const roof: AgentHit = { project: "house", task: { id: "task-2", title: "Mend the roof" } };

test("a project is found by its name, a task by its title, whatever the order and the capitals", () => {
  expect(findAgents([kitchen, tiles, roof], "Kitchen", 5)).toEqual([kitchen, tiles]);
  expect(findAgents([kitchen, tiles, roof], "tiles LAY", 5)).toEqual([tiles]);
  expect(findAgents([kitchen, tiles, roof], "mend tiles", 5)).toEqual([]);
});

test("no more are found than fit", () => expect(findAgents([kitchen, tiles, roof], "", 2)).toHaveLength(2));
