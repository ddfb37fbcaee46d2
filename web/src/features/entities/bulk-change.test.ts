import { expect, test } from "vitest";
import { ApiError } from "../../../../src/protocol/api-error.ts";
import { type BulkFailure, changeEach, describeFailures } from "./bulk-change.ts";

const items = ["Roof", "Wall", "Door"].map((title) => ({ id: title.toLowerCase(), title }));
const refusal = (code: ApiError["code"]) => new ApiError(409, code, "as the server says");
const failure = (title: string, error: unknown): BulkFailure => ({ id: title, title, error });

test("every item is tried, and the refused ones are told by title", async () => {
  const tried: string[] = [];
  const failures = await changeEach(items, async ({ id }) => {
    tried.push(id);
    if (id === "wall") throw refusal("stale_version");
  });
  expect(tried).toEqual(["roof", "wall", "door"]);
  expect(failures.map(({ title }) => title)).toEqual(["Wall"]);
});

test.each([
  ["stale_version", "1 of 5 could not be changed: someone else changed it"],
  ["deleted", "1 of 5 could not be changed: it is in the bin"],
  ["not_found", "1 of 5 could not be changed: it is gone, or you may not see it any more"],
  ["unreachable", "1 of 5 could not be changed: the server does not answer"],
  ["internal", "1 of 5 could not be changed: as the server says"],
] as const)("a refusal %s reads %s", (code, words) => {
  expect(describeFailures([failure("Roof", refusal(code))], 5)).toEqual([{ words, titles: ["Roof"] }]);
});

test("failures are grouped by reason", () => {
  const failures = [
    failure("Roof", refusal("stale_version")),
    failure("Wall", refusal("deleted")),
    failure("Door", refusal("stale_version")),
  ];
  expect(describeFailures(failures, 5)).toEqual([
    { words: "2 of 5 could not be changed: someone else changed them", titles: ["Roof", "Door"] },
    { words: "1 of 5 could not be changed: it is in the bin", titles: ["Wall"] },
  ]);
});
