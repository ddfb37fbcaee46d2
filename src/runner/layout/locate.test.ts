import { afterEach, expect, test } from "vitest";
import { makeRoot, removeFolders } from "../../../test/helpers/runner-root.ts";
import { requireTask } from "./locate.ts";
import { createTask } from "./runner-root.ts";

afterEach(removeFolders);

test("a name in full wins over longer ones that have it in them; a part of several is refused", () => {
  const root = makeRoot();
  const water = createTask(root, "garden", "water");
  const plants = createTask(root, "garden", "water plants");
  expect(requireTask(root, "water", null)).toEqual(water);
  expect(requireTask(root, "plants", null)).toEqual(plants);
  expect(() => requireTask(root, "wat", null)).toThrow("is the name of 2 tasks");
});

test("a name that two tasks have in full is refused as well", () => {
  const root = makeRoot();
  createTask(root, "garden", "water");
  createTask(root, "shop", "water");
  expect(() => requireTask(root, "water", null)).toThrow("is the name of 2 tasks");
  expect(requireTask(root, "water", "shop").projectId).toBe("shop");
});
