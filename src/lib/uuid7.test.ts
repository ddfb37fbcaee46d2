import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { uuid7 } from "./uuid7.ts";

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 });

test.prop([instant, bytes])("is a UUID of version 7", (nowMs, random) => {
  expect(uuid7(nowMs, random)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test.prop([instant, instant, bytes, bytes])("sorts by the time it was made", (one, other, a, b) => {
  fc.pre(one < other);
  expect(uuid7(one, a) < uuid7(other, b)).toBe(true);
});
