// What a run made, and its report, as Markdown files: for a folder of the terminal and for an archive of the pages.

import { dayOf } from "../domain/wall-clock.ts";
import type { Entity, Run, RunOutput } from "./api.ts";
import { routes } from "./api.ts";
import { ApiError } from "./api-error.ts";
import type { Api } from "./client.ts";
import { fileNameOf } from "./file-name.ts";
import { type EntityKind, entityKinds, limits } from "./kinds.ts";
import { linkRemoteImages } from "./remote-images.ts";
import { renderReportMarkdown, wordsOf } from "./report-markdown.ts";
import { readSources } from "./run-sources.ts";

/** `name` is without an ending, and two files may have the same (`name-apart.ts`); `ids`: of the things that stand in it. */
export type RunFile = { readonly name: string; readonly ids: readonly string[]; readonly text: string };

/** Things of a run that become files. */
const thingsMax = 1_000;

/** The report, deliverables, and tasks in one list; `origin` is where the pages are. The report comes first, so its name is its own. */
export async function readRunFiles(api: Api, run: Run, origin: string): Promise<readonly RunFile[]> {
  const things = await readThings(api, run.id, "false");
  const tasks = things.filter(({ kind }) => kind === "task");
  const pages = things.filter(({ kind }) => kind !== "task");
  const { report } = run;
  const title = report === null ? "Tasks" : capitalize(wordsOf(report).kinds.task?.[1] ?? "Tasks");
  const ids = tasks.map(({ id }) => id);
  return [
    ...(report === null
      ? []
      : [{ name: "Report", ids: [], text: renderReportMarkdown(report, origin, await readSources(api, run.id)) }]),
    ...pages.map(toFile),
    ...(tasks.length === 0 ? [] : [{ name: fileNameOf(title), ids, text: renderTasks(title, tasks, run.time_zone) }]),
  ];
}

/** The pages that a run keeps for itself. */
export const readWorkingNotes = async (api: Api, run: Run): Promise<readonly RunFile[]> =>
  (await readThings(api, run.id, "true")).map(toFile);

/** Everything with a text that the run made or changed and that is still there, oldest first. */
async function readThings(api: Api, runId: string, bookkeeping: "true" | "false"): Promise<readonly Entity[]> {
  const things = new Map<string, Entity>();
  for (const { id, kind, project_id: projectId } of await readChanged(api, runId, bookkeeping)) {
    if (!isKind(kind) || things.has(id)) continue;
    const found = await getIfThere(api(routes[kind].get, { params: { projectId, entityId: id } }));
    if (found !== null) things.set(id, found);
  }
  return [...things.values()];
}

async function readChanged(api: Api, runId: string, bookkeeping: "true" | "false") {
  const readPage = (cursor?: string) =>
    api(routes.runParts.outputs, {
      params: { runId },
      query: { limit: limits.pageMax, bookkeeping, ...(cursor === undefined ? {} : { cursor }) },
    });
  let page = await readPage();
  const changed = page.items.filter(isWritten);
  while (page.next_cursor !== null && changed.length < thingsMax) {
    page = await readPage(page.next_cursor);
    changed.push(...page.items.filter(isWritten));
  }
  return changed.slice(0, thingsMax).toReversed();
}

const isWritten = ({ op, is_there: isThere }: RunOutput) => isThere && (op === "created" || op === "updated");
const isKind = (kind: string): kind is EntityKind => (entityKinds as readonly string[]).includes(kind);

async function getIfThere<T>(get: Promise<T>): Promise<T | null> {
  try {
    return await get;
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === "not_found") return null;
    throw thrown;
  }
}

function toFile({ id, title, content, description }: Entity): RunFile {
  const text = (content.trim() === "" ? description : content).trim();
  const whole = text.startsWith("# ") ? text : `# ${oneLine(title)}\n\n${text}`;
  return { name: fileNameOf(title), ids: [id], text: `${linkRemoteImages(whole)}\n` };
}

function renderTasks(heading: string, tasks: readonly Entity[], timeZone: string): string {
  const lines = tasks.map((task) => {
    const due = task.due_at === null ? "" : ` (due ${dayOf(task.due_at, timeZone)})`;
    const text = [task.description, task.content].filter((each) => each.trim() !== "").join("\n\n");
    const below = text === "" ? "" : `\n${text.replaceAll(/^(?=.)/gm, "  ")}`;
    return `- [${task.state_key === "done" ? "x" : " "}] ${oneLine(task.title)}${due}${below}`;
  });
  return `# ${heading}\n\n${linkRemoteImages(lines.join("\n"))}\n`;
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
