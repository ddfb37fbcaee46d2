import { expect, test } from "vitest";
import { makeEvent } from "../../../test/helpers/cli-runs.ts";
import { eventKinds } from "../../protocol/said-event.ts";
import { eventLine } from "./event-line.ts";

test("every kind of event has words of its own", () => {
  const named = eventKinds.filter((kind) => eventLine(makeEvent(1, kind)).endsWith(`  ${kind.replaceAll("_", " ")}`));
  expect(named).toEqual([]);
});

test("one of a kind that this version does not know is called by its name", () => {
  expect(eventLine(makeEvent(1, "moon_risen"))).toBe("17:40:01  moon risen");
});
