import { expect, test } from "vitest";
import { failureWords } from "./task-words.ts";

test("a refused key is told without a number, and with the place where keys are", () => {
  expect(failureWords("The provider of the picture model refused the key (401). No picture was made.")).toBe(
    "The provider of the picture model refused the key. No picture was made. Keys are in Settings → Models.",
  );
  expect(failureWords("openai: the provider refuses our credentials")).toBe(
    "openai: the provider refuses our credentials. Keys are in Settings → Models.",
  );
});

test("any other failure is told as it is", () =>
  expect(failureWords("The page was refused (401)")).toBe("The page was refused (401)"));
