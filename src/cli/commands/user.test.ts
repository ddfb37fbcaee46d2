import { describe, expect, test } from "vitest";
import { runInTest } from "../../../test/helpers/cli-host.ts";
import type { People, Person } from "../ports.ts";

const ada: Person = {
  id: "0198c2a4-0000-7000-8000-0000000000aa",
  name: "Ada",
  email: "ada@example.com",
  role: "admin",
  disabled: false,
  created_at: "2030-03-17T17:36:40Z",
};

/** People whose changes are written down in `did`. */
function peopleWith(did: unknown[], isServed: boolean) {
  const people: People = {
    list: async () => [ada],
    create: async (person) => {
      did.push(person);
      return { ...ada, ...person };
    },
    loginLink: async (userId) => {
      did.push(userId);
      return { url: "http://127.0.0.1:4180/sign-in/x", expires_at: "2030-03-17T17:56:40Z", is_served: isServed };
    },
    setDisabled: async (userId, disabled) => {
      did.push([userId, disabled]);
      return { ...ada, disabled };
    },
    setPassword: async (userId, password) => {
      did.push([userId, password]);
      return ada;
    },
    close: async () => void did.push("closed"),
  };
  return { people: async () => people };
}

const run = (args: readonly string[], did: unknown[], terminal = {}, isServed = true) =>
  runInTest(["user", ...args], { services: peopleWith(did, isServed), terminal });

describe("a password", () => {
  test("comes from stdin without its line end", async () => {
    const did: unknown[] = [];
    const terminal = { readInput: async () => "correct horse\n" };
    expect((await run(["set-password", "ada@example.com", "--password-stdin"], did, terminal)).code).toBe(0);
    expect(did).toEqual([[ada.id, "correct horse"], "closed"]);
  });

  test("is asked for twice, and both must be the same", async () => {
    const did: unknown[] = [];
    const answers = ["correct horse", "correct house"];
    const terminal = { isInteractive: true, askSecret: async () => answers.shift() ?? "" };
    expect(await run(["create", "bob@example.com"], did, terminal)).toMatchObject({ code: 2, out: "" });
    expect(did).toEqual(["closed"]);
  });

  test("is not waited for where nobody could answer", async () => {
    const ran = await run(["create", "bob@example.com"], []);
    expect(ran).toMatchObject({ code: 2, words: expect.stringContaining("--password-stdin") });
  });
});

test("someone without a name is called by their address", async () => {
  const did: unknown[] = [];
  await run(["create", "bob@example.com", "--password-stdin"], did, { readInput: async () => "correct horse" });
  expect(did[0]).toEqual({ name: "bob", email: "bob@example.com", password: "correct horse", role: "user" });
});

test("a login link is alone on stdout, so that it can be opened by a script", async () => {
  const did: unknown[] = [];
  const ran = await run(["login-link"], did);
  expect(ran.out).toBe("http://127.0.0.1:4180/sign-in/x\n");
  expect(ran.words).toBe("The link works once and expires in 10 minutes.\n");
  expect(did[0]).toBeNull();
});

test("a login link for an address where nothing listens says so", async () => {
  const ran = await run(["login-link"], [], {}, false);
  expect(ran.words).toContain("Homework is not running at http://127.0.0.1:4180 yet: homework start.");
});

test("someone who is not there is suggested and ends with 3", async () => {
  const ran = await run(["disable", "ada@exmaple.com"], []);
  expect(ran).toMatchObject({ code: 3, words: expect.stringContaining("Did you mean ada@example.com?") });
});
