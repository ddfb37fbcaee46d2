import { expect, test } from "vitest";
import { decideBootstrap } from "./bootstrap.ts";

const localOwner = { isLocalOwner: true, hasPassword: false };

test.each([
  ["nobody yet, on this machine only: the first who signs up", [], false, "open"],
  ["nobody yet, reachable by others: only with the token", [], true, "token"],
  ["a local owner without a password: only with the token", [localOwner], false, "token"],
  ["a local owner, reachable by others: only with the token", [localOwner], true, "token"],
  ["a local owner who has a password: closed", [{ ...localOwner, hasPassword: true }], true, "closed"],
  ["another admin: closed", [{ isLocalOwner: false, hasPassword: true }], false, "closed"],
  ["an admin who is signed in by link: closed", [{ isLocalOwner: false, hasPassword: false }], false, "closed"],
  [
    "a local owner beside another admin: closed",
    [localOwner, { isLocalOwner: false, hasPassword: true }],
    true,
    "closed",
  ],
] as const)("%s", (_, admins, isReachable, expected) => {
  expect(decideBootstrap(admins, isReachable)).toBe(expected);
});
