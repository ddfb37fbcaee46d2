import { expect, test } from "vitest";
import { hideSecretsOf } from "./hide-secrets.ts";

test("headers are hidden, also without the word before them", () => {
  const hide = hideSecretsOf({ headers: { Authorization: "Bearer abcdefgh1234" } });
  expect(hide("got Bearer abcdefgh1234")).toBe("got [hidden]");
  expect(hide("bad token: abcdefgh1234")).toBe("bad token: [hidden]");
});

test("of the environment, what is called like a secret, and passwords in addresses", () => {
  const hide = hideSecretsOf({
    env: {
      GITHUB_TOKEN: "ghp_0123456789",
      ROOT: "/home/someone/pages",
      DB: "postgres://me:hush-hush-hush@db.example/x",
    },
  });
  expect(hide("ghp_0123456789 in /home/someone/pages")).toBe("[hidden] in /home/someone/pages");
  expect(hide("cannot reach postgres://me:hush-hush-hush@db.example/x")).toBe(
    "cannot reach postgres://me:[hidden]@db.example/x",
  );
});

test("a password that is not well escaped does no harm, and short words stay", () => {
  const hide = hideSecretsOf({ env: { A: "http://me:%E0%A4%A@x.example/", MODE_KEY: "on" } });
  expect(hide("on and on")).toBe("on and on");
});
