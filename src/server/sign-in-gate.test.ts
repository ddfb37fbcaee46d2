import { expect, test } from "vitest";
import type { Instant } from "../lib/env.ts";
import { createSignInGate, type Try } from "./sign-in-gate.ts";

function setup() {
  let nowMs = 1_000_000;
  const gate = createSignInGate({ now: () => nowMs as Instant });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  /** Wrong passwords, one after the other; how many of them were tried at all. */
  const guess = (attempt: Try, count: number, everyMs: number) => {
    let tried = 0;
    for (let n = 0; n < count; n++) {
      if (gate.enter(attempt) === 0) tried += 1;
      pass(everyMs);
    }
    return tried;
  };
  return { gate, pass, guess };
}

const guesser: Try = { address: "203.0.113.1", account: "anna@example.test", device: null };
const owner: Try = { ...guesser, address: "198.51.100.7" };

test("one wrong try every 1.5 seconds for an hour locks nobody out, and few of them are tried", () => {
  const { gate, guess } = setup();
  expect(guess(guesser, 2_400, 1_500)).toBeLessThan(20);
  expect(gate.enter(owner)).toBe(0);
});

test("a browser that the account knows passes, also from the address of the guesser", () => {
  const { gate, guess } = setup();
  guess(guesser, 100, 1_500);
  expect(gate.enter(guesser)).toBeGreaterThan(0);
  expect(gate.enter({ ...guesser, device: "a" })).toBe(0);
});

test("guesses from many addresses slow the account down by seconds, not for those it knows", () => {
  const { gate, guess } = setup();
  for (let n = 0; n < 5_000; n++) guess({ ...guesser, address: `203.0.113.${n}` }, 1, 0);
  const wait = gate.enter(owner);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(10_000);
  expect(gate.enter({ ...owner, device: "a" })).toBe(0);
});

test("tries at once count before any of them has failed", () => {
  const { gate } = setup();
  const waits = Array.from({ length: 50 }, () => gate.enter(guesser));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
});

test("who gets in begins anew, and after a quiet hour so does everyone", () => {
  const { gate, guess, pass } = setup();
  guess(guesser, 4, 0);
  expect(gate.enter(guesser)).toBe(0);
  gate.succeed(guesser);
  expect(guess(guesser, 20, 0)).toBe(5);
  pass(60 * 60_000 + 1);
  expect(guess(guesser, 20, 0)).toBe(5);
});
