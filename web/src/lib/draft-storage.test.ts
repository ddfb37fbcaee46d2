import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDraftStorage, type Shelf } from "./draft-storage.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function makeShelf(): Shelf & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

test("a draft is there again after a reload", () => {
  const shelf = makeShelf();
  createDraftStorage(() => shelf).keep("a", { text: "half a thought" });
  vi.runAllTimers();
  expect(createDraftStorage(() => shelf).load("a")).toEqual({ text: "half a thought" });
});

test("what was typed last is read before it is stored", () => {
  const storage = createDraftStorage(makeShelf);
  storage.keep("a", "new");
  expect(storage.load("a")).toBe("new");
});

test("leaving the page stores at once", () => {
  const shelf = makeShelf();
  const storage = createDraftStorage(() => shelf);
  storage.keep("a", "last words");
  storage.flush();
  expect([...shelf.kept]).toEqual([["a", '"last words"']]);
});

test("typing fast stores once, and every draft keeps its own name", () => {
  const shelf = makeShelf();
  const setItem = vi.fn(shelf.setItem);
  const storage = createDraftStorage(() => ({ ...shelf, setItem }));
  for (const text of ["o", "on", "one"]) storage.keep("a", text);
  storage.keep("b", "two");
  vi.runAllTimers();
  expect(setItem.mock.calls).toEqual([
    ["a", '"one"'],
    ["b", '"two"'],
  ]);
});

test("a draft that was sent is forgotten", () => {
  const shelf = makeShelf();
  const storage = createDraftStorage(() => shelf);
  storage.keep("a", "text");
  storage.flush();
  storage.keep("a", "more text");
  storage.keep("a", null);
  expect(storage.load("a")).toBeNull();
  expect(shelf.kept.size, "also where the page is left at once").toBe(0);
  storage.flush();
  expect(shelf.kept.size).toBe(0);
});

test("what is not JSON is no draft", () => {
  const shelf = makeShelf();
  shelf.setItem("a", "{half");
  expect(createDraftStorage(() => shelf).load("a")).toBeNull();
});

test("forbidden storage keeps the draft until it would be stored, and throws nothing", () => {
  const storage = createDraftStorage(() => {
    throw new Error("denied");
  });
  storage.keep("a", "text");
  expect(storage.load("a")).toBe("text");
  storage.flush();
  expect(storage.load("a")).toBeNull();
});
