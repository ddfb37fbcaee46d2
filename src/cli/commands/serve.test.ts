import { describe, expect, test } from "vitest";
import { runInTest } from "../../../test/helpers/cli-host.ts";
import type { Services, SettingFlags } from "../ports.ts";

const listening = {
  url: "http://127.0.0.1:4180",
  mode: "local",
  login_link: "http://127.0.0.1:4180/x",
  setup_link: "http://127.0.0.1:4180/sign-up#setup=s",
  data: "/d",
} as const;

type Pages = { readonly isBuilt?: boolean; readonly canBuild?: boolean };

function serving(stale: string | null, did: string[], flags: SettingFlags[] = [], pages: Pages = {}) {
  const services = {
    server: {
      serve: async ({ onListening }: { onListening: (where: typeof listening) => void }) => {
        did.push("serve");
        onListening(listening);
      },
    },
    web: {
      isBuilt: () => pages.isBuilt ?? true,
      canBuild: () => pages.canBuild ?? true,
      whyStale: async () => stale,
      build: async () => void did.push("build"),
    },
  };
  return {
    open: async (given: SettingFlags) => {
      flags.push(given);
      return services as unknown as Services;
    },
  };
}

describe("start", () => {
  test("builds the pages first if they are not up to date", async () => {
    const did: string[] = [];
    const ran = await runInTest(["start"], serving("their sources have changed", did));
    expect(did).toEqual(["build", "serve"]);
    expect(ran.words).toContain("Building the web pages: their sources have changed.");
  });

  test("serves at once if they are", async () => {
    const did: string[] = [];
    await runInTest(["start"], serving(null, did));
    expect(did).toEqual(["serve"]);
  });
});

describe("serve", () => {
  test("tells people where it is, even if quiet", async () => {
    const ran = await runInTest(["serve", "--quiet"], serving(null, []));
    expect(ran).toMatchObject({ out: "", words: expect.stringContaining("Sign in with this link, once: http://") });
    expect(ran.words).toContain(`Create the admin account with this link: ${listening.setup_link}`);
  });

  test("tells programs where it is", async () => {
    const ran = await runInTest(["serve", "--json"], serving(null, []));
    expect(ran.words).toBe("");
    expect(JSON.parse(ran.out)).toEqual(listening);
  });

  test("builds the pages first where there are none", async () => {
    const did: string[] = [];
    const ran = await runInTest(["serve"], serving("they have not been built yet", did, [], { isBuilt: false }));
    expect(did).toEqual(["build", "serve"]);
    expect(ran.words).toContain("Building the web pages, once…");
  });

  test("says what to do where the pages cannot be built, and serves the API", async () => {
    const did: string[] = [];
    const pages = { isBuilt: false, canBuild: false };
    const ran = await runInTest(["serve"], serving("they have not been built yet", did, [], pages));
    expect(did).toEqual(["serve"]);
    expect(ran.words).toContain("run `npm ci && npm run build` first");
  });

  test("serves pages that are older than their sources, and says so", async () => {
    const did: string[] = [];
    const ran = await runInTest(["serve"], serving("their sources have changed", did));
    expect(did).toEqual(["serve"]);
    expect(ran.words).toContain("`npx homework start` builds them again");
  });

  test("hands its flags on as settings", async () => {
    const flags: SettingFlags[] = [];
    const args = [
      "serve",
      "--port",
      "8080",
      "--data",
      "d",
      "--config",
      "c.json",
      "--set",
      "log-level=warn",
      "--set",
      "secret=a=b",
    ];
    await runInTest(args, serving(null, [], flags));
    const values = { port: "8080", data: "d", log_level: "warn", secret: "a=b" };
    expect(flags).toEqual([{ configFile: "c.json", values }]);
  });
});

test("doctor ends with 1 if there is a problem and with 0 if there are only warnings", async () => {
  const finding = { name: "port", message: "Port 4180 is taken", fix: "Use another: --port 4181" };
  const run = (status: "warning" | "problem") =>
    runInTest(["doctor"], { services: { doctor: async () => [{ ...finding, status }] } });
  expect(await run("warning")).toMatchObject({ code: 0, words: "All is well.\n" });
  expect(await run("problem")).toEqual({
    code: 1,
    out: "problem  port: Port 4180 is taken\n         Use another: --port 4181\n",
    words: "1 problem found.\n",
  });
});
