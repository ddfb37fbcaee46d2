import { expect, test } from "vitest";
import { AppError } from "../lib/app-error.ts";
import { Interrupted } from "./ports/engine.ts";
import { waitForAll } from "./wait-for-all.ts";

const { signal } = new AbortController();
const refused = new Interrupted({ kind: "refused", why: "it could cross the limit" });
const away = new AppError("database_unavailable", "The database does not answer right now");

test("all come to their end, also where one failed", async () => {
  const ended: string[] = [];
  const late = Promise.resolve().then(() => ended.push("late"));
  await expect(waitForAll([Promise.reject(refused), late], signal)).rejects.toBe(refused);
  expect(ended).toEqual(["late"]);
  expect(await waitForAll([Promise.resolve(1), Promise.resolve(2)], signal)).toEqual([1, 2]);
});

test("a write whose end is not known counts more than a call that was refused before it", async () => {
  await expect(waitForAll([Promise.reject(refused), Promise.reject(away)], signal)).rejects.toBe(away);
  const lost = new Interrupted({ kind: "lost" });
  await expect(waitForAll([Promise.reject(refused), Promise.reject(lost)], signal)).rejects.toBe(lost);
});
