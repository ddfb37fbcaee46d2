import { expect, test } from "vitest";
import type { Change } from "../../../../src/protocol/api.ts";
import { keys } from "../data/keys.ts";
import { touchedQueries } from "./touched-queries.ts";

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
