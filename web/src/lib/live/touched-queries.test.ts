import { expect, test } from "vitest";
import type { Change } from "../../../../src/protocol/api.ts";
import { keys } from "../data/keys.ts";
import { touchedByFeed, touchedByOutcome, touchedQueries } from "./touched-queries.ts";

const touched = (kind: Change["kind"]) => touchedQueries("p", { kind, entity_id: "e" });

test("a changed task touches itself, its list and its history", () =>
  expect(touched("task")).toEqual(
    expect.arrayContaining([keys.entity("p", "e"), keys.entities("p", "task"), keys.changes("p", "e")]),
  ));

test("a changed task leaves the document tree alone", () => expect(touched("task")).not.toContainEqual(keys.tree("p")));

test("a changed document touches the tree", () => expect(touched("document")).toContainEqual(keys.tree("p")));

test("an edge may be one of the tree", () => expect(touched("edge")).toContainEqual(keys.tree("p")));

test("a changed project touches the list of projects", () => expect(touched("project")).toContainEqual(keys.projects));

test("every change is a line of the project's history", () =>
  expect(touched("goal")).toContainEqual(keys.changes("p")));

test("a changed run makes the lists old, and itself", () =>
  expect(touchedByFeed({ type: "run_changed", data: { id: "a" } })).toEqual([keys.runs, keys.run("a")]));

test("a notification makes the bell old, and the lists of runs that mark what is unread", () => {
  expect(touchedByFeed({ type: "notification_created", data: { id: "n" } })).toEqual([keys.notifications, keys.runs]);
  expect(touchedByFeed({ type: "notification_read", data: {} })).toEqual([keys.notifications, keys.runs]);
});

test("a changed outcome makes the lists old, the number of its questions, and itself", () =>
  expect(touchedByFeed({ type: "outcome_changed", data: { id: "o" } })).toEqual([
    keys.outcomes,
    keys.runCounts,
    keys.outcome("o"),
  ]));

test("a changed task of an outcome leaves what HOMЯ knows alone", () => {
  const touched = touchedByOutcome("o", { event: { type: "task_changed" } });
  expect(touched).toContainEqual(keys.outcomeTasks("o"));
  expect(touched).not.toContainEqual(keys.homr("o"));
});

test("a question of an outcome touches the tasks that it pauses", () =>
  expect(touchedByOutcome("o", { event: { type: "escalation_changed" } })).toEqual(
    expect.arrayContaining([keys.homr("o"), keys.outcomeTasks("o"), keys.outcomes]),
  ));

test("an event of a newer server touches all of the outcome", () =>
  expect(touchedByOutcome("o", { event: { type: "moon_changed" } })).toEqual([keys.outcome("o")]));
