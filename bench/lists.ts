// Paging through 100,000 tasks over HTTP, compared with a project of 1,000 on the same server.

import { routes } from "../src/protocol/api.ts";
import type { Served } from "../test/helpers/served.ts";
import { msText, ratio, report, timed } from "./figures.ts";
import { asSuperuser, fill } from "./fill.ts";

const large = 100_000;
const small = 1_000;
const rounds = 100;

export async function benchLists({ api }: Served, data: string): Promise<void> {
  const [many, few] = await Promise.all([
    api(routes.projects.create, { body: { name: "Many tasks" } }),
    api(routes.projects.create, { body: { name: "Few tasks" } }),
  ]);
  await asSuperuser(data, async (admin) => {
    await fill(admin, "onto_tasks", few.id, small);
    await fill(admin, "onto_tasks", many.id, large);
  });
  const page = (projectId: string, cursor?: string) =>
    api(routes.task.list, { params: { projectId }, query: { limit: 50, ...(cursor ? { cursor } : {}) } });
  const deep = await cursorAfter(page, many.id, 400);
  const fewFirst = await timed(rounds, () => page(few.id));
  const manyFirst = await timed(rounds, () => page(many.id));
  const manyDeep = await timed(rounds, () => page(many.id, deep));
  const byState = await timed(rounds, () =>
    api(routes.task.list, { params: { projectId: many.id }, query: { limit: 50, state: "done" } }),
  );
  const nothing = await timed(rounds, () => api(routes.identity.me, {}));
  report("list of 100,000 tasks, 50 a page", {
    "first page": msText(manyFirst),
    "page 401": msText(manyDeep),
    "filtered by state": msText(byState),
    "first page of 1,000 tasks": msText(fewFirst),
    "who am I (the floor)": msText(nothing),
    "first page, 100,000 : 1,000": ratio(manyFirst.p50, fewFirst.p50),
    "page 401 : first page": ratio(manyDeep.p50, manyFirst.p50),
  });
}

type GetPage = (projectId: string, cursor?: string) => Promise<{ next_cursor: string | null }>;

async function cursorAfter(page: GetPage, projectId: string, pages: number): Promise<string> {
  let cursor = "";
  for (let n = 0; n < pages; n++) cursor = (await page(projectId, cursor || undefined)).next_cursor ?? "";
  return cursor;
}
