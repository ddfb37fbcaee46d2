import { expect, test } from "vitest";
import { systemDial } from "./dial.ts";

test("addresses of this machine are not reached, also public ones, however they are written", () => {
  const dial = systemDial(() => ["93.184.216.34", "2606:4700:0:0::1111"]);
  expect(dial.mayReach("93.184.216.35", 443)).toBe(true);
  expect(dial.mayReach("93.184.216.34", 443)).toBe(false);
  expect(dial.mayReach("2606:4700::1111", 443)).toBe(false);
  expect(dial.mayReach("2606:4700::1112", 443)).toBe(true);
  expect(systemDial().mayReach("127.0.0.1", 443)).toBe(false);
});
