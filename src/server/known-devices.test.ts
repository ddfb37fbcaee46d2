import { expect, test } from "vitest";
import { createKnownDevices } from "./known-devices.ts";

const ids = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
const make = (secret = "a secret") => createKnownDevices(secret, false, { newId: () => ids[0] ?? "" });
const cookieOf = (set: string) => `other=1; ${set.split(";")[0]}`;

test("a browser is known to the accounts it has signed in to, and to no other", () => {
  const devices = make();
  const first = cookieOf(devices.remember(undefined, "Anna@example.test"));
  const second = cookieOf(devices.remember(first, "ben@example.test"));
  const known = ["anna@example.test", "ben@example.test", "cleo@example.test"].map((account) =>
    devices.recognize(second, account),
  );
  expect(known).toEqual([ids[0], ids[0], null]);
  expect(devices.recognize(first, "ben@example.test")).toBeNull();
});

test("the mark of one browser is worth nothing under the name of another, nor with another secret", () => {
  const cookie = cookieOf(make().remember(undefined, "anna@example.test"));
  expect(make().recognize(cookie.replace(ids[0] ?? "", ids[1] ?? ""), "anna@example.test")).toBeNull();
  expect(make("another").recognize(cookie, "anna@example.test")).toBeNull();
  expect(make().recognize("homework.device=x.y", "anna@example.test")).toBeNull();
});

test("a cookie holds ten accounts at most, the last ones", () => {
  const devices = make();
  let cookie: string | undefined;
  for (let n = 0; n < 12; n++) cookie = cookieOf(devices.remember(cookie, `person-${n}@example.test`));
  expect(devices.recognize(cookie, "person-1@example.test")).toBeNull();
  expect(devices.recognize(cookie, "person-11@example.test")).toBe(ids[0]);
});
