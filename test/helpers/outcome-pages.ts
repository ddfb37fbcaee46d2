// A served installation with its worker and a signed-in browser, for tests of an outcome's pages: outcomes made through the API, and
// outcomes with all that HOMЯ leaves behind, written as rows. Call it at the top of a file.

import pg from "pg";
import type { Page } from "playwright-core";
import { afterAll } from "vitest";
import { type Outcome, type OutcomeTask, routes } from "../../src/protocol/api.ts";
import type { Api } from "../../src/protocol/client.ts";
import type { RouteInput } from "../../src/protocol/route.ts";
import { embeddedDatabase } from "../chaos/chaos-database.ts";
import { testBrowser } from "./browser.ts";
import { insertOutcome, type OutcomeIds, type OutcomeRow } from "./outcome-rows.ts";
import { type RunLabServer, runLabServer } from "./run-lab-server.ts";
import { hallScript } from "./run-scenes.ts";
import { ownerSession } from "./web-session.ts";

type NewOutcome = RouteInput<typeof routes.outcomes.create>["body"];
type NewTask = NonNullable<NewOutcome["tasks"]>[number];

export type OutcomePages = {
  readonly lab: RunLabServer;
  readonly api: Api;
  /** Not started, unless it says so. */
  readonly make: (tasks: readonly NewTask[], more?: Partial<NewOutcome>) => Promise<Outcome>;
  /** With attempts, observations, a question, briefs and memories. */
  readonly insert: (row?: OutcomeRow) => Promise<OutcomeIds>;
  readonly tasksOf: (outcomeId: string) => Promise<readonly OutcomeTask[]>;
  /** `path` below the outcome's page. */
  readonly open: (outcomeId: string, path?: string, size?: { width: number; height: number }) => Promise<Page>;
  readonly openAt: (address: string) => Promise<Page>;
};

export async function outcomePages(): Promise<OutcomePages> {
  const lab = await runLabServer();
  lab.script("", hallScript());
  const { profile, api } = await ownerSession(lab.server());
  const browser = await (await testBrowser()).profile(lab.server().url, profile);
  const admin = new pg.Pool({ connectionString: embeddedDatabase(lab.data).adminUrl(), max: 2 });
  // The server goes away below its connections.
  admin.on("error", () => {});
  afterAll(() => admin.end());
  const { user } = await api(routes.identity.me, {});
  const openAt = async (address: string, size?: { width: number; height: number }) => {
    const { page, tolerate } = await browser.open();
    // Refused commands are what some of these tests are about.
    tolerate(/status of 40(0|4|9)/);
    if (size) await page.setViewportSize(size);
    await page.goto(address);
    await page.locator("h1").first().waitFor();
    return page;
  };
  return {
    lab,
    api,
    make: (tasks, more = {}) =>
      api(routes.outcomes.create, { body: { name: "A shop for lamps", tasks: [...tasks], ...more } }),
    insert: (row) => insertOutcome(admin, user.id, row),
    tasksOf: async (outcomeId) =>
      (await api(routes.outcomeTasks.list, { params: { outcomeId }, query: { limit: 100 } })).items,
    open: (outcomeId, path = "", size) => openAt(`/outcomes/${outcomeId}${path}`, size),
    openAt,
  };
}
