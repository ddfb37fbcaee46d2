import { expect, test } from "vitest";
import { makeCheck, makeRun } from "../../../test/helpers/make-run.ts";
import { adopt } from "./adopt.ts";

const promise = {
  deliverables: [{ id: "page", title: "A page" }],
  checks: [makeCheck({ id: "new" })],
  drops: [],
  why: "",
};
const open = makeRun({ deliverables: [], checks: [makeCheck({ id: "given" })] });
const idsOf = (run: ReturnType<typeof adopt>) => run.checks.map(({ id, givenBy }) => `${givenBy} ${id}`);

test("the first promise counts, whenever it comes", () => {
  const late = { ...open, state: { status: "running", iteration: 4, hold: null } } as const;
  expect(idsOf(adopt(late, promise))).toEqual(["user given", "planner new"]);
});
test("what is promised later is ignored", () => {
  const promised = adopt(open, promise);
  expect(adopt(promised, { deliverables: [], checks: [makeCheck({ id: "easier" })], drops: [], why: "" })).toBe(
    promised,
  );
});
test("a planner cannot replace what the user gave, nor pass its own off as the user's", () => {
  const sly = {
    deliverables: [],
    checks: [makeCheck({ id: "given", target: { kind: "plan_complete" } })],
    drops: [],
    why: "",
  };
  expect(adopt(open, sly).checks).toEqual(open.checks);
});
