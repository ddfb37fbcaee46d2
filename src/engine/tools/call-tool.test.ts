import { expect, test } from "vitest";
import { AppError } from "../../lib/app-error.ts";
import { toOutcome } from "./call-tool.ts";

test("a search that took too long is an answer to the model, which can try other words", () => {
  const late = new AppError("busy", "The search took too long; try other words");
  expect(toOutcome(late)).toMatchObject({
    ok: false,
    code: "failed",
    text: "The search took too long; try other words",
  });
});

test("that the database is gone is not: the iteration is tried again", () => {
  const gone = new AppError("database_unavailable", "The database is away");
  expect(() => toOutcome(gone)).toThrow(gone);
});
