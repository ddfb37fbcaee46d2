// Writes what a run made, and its report, as Markdown files. A file that is there already is never overwritten: the new one gets
// a name that is free.

import path from "node:path";
import { type Entity, type Run, routes } from "../../protocol/api.ts";
import type { Api } from "../../protocol/client.ts";
import { counted } from "../../protocol/figures.ts";
import { type EntityKind, entityKinds } from "../../protocol/kinds.ts";
import { renderReportMarkdown, wordsOf } from "../../protocol/report-markdown.ts";
import { getIfThere } from "../find.ts";
import type { ApiInvocation } from "../invocation.ts";
import { fetchList } from "../list.ts";
import { oneLine } from "../plain-text.ts";
import type { Files } from "../ports.ts";
import { dateOf } from "../time-words.ts";
import { fileNameOf } from "./file-name.ts";

type NewFile = { readonly name: string; readonly text: string };
type WrittenFile = {
  readonly name: string;
  /** `renamed`: another file has the name it would have had; `unchanged`: the same text was there already. */
  readonly how: "new" | "renamed" | "unchanged";
};

/** Things of a run that become files. */
const thingsMax = 1_000;
/** Names that are tried for one file. */
const namesMax = 1_000;

/** Says what it wrote; with --json that is the data of the command, unless `isAside`. */
export async function exportRun(given: ApiInvocation, run: Run, folder: string, isAside = false): Promise<void> {
  const { host, output } = given;
  const at = path.resolve(host.workingFolder, folder);
  const files = await filesOf(given, run);
  await host.files.makeFolder(at);
  const written: WrittenFile[] = [];
  for (const file of files) written.push(await writeFree(host.files, at, file));
  const fresh = written.filter(({ how }) => how !== "unchanged").length;
  if (isAside) output.say("");
  output.say(`${fresh === 0 ? "Nothing new for" : `Wrote ${counted(fresh, "file")} to`} ${oneLine(folder)}:`);
  for (const each of written) output.say(`  ${each.name}${howWords[each.how]}`);
  if (!isAside) output.data({ folder: at, files: written }, () => "");
}

const howWords: Readonly<Record<WrittenFile["how"], string>> = {
  new: "",
  renamed: " (renamed, because another file has that name)",
  unchanged: " (unchanged)",
};

async function filesOf({ api, services }: ApiInvocation, run: Run): Promise<readonly NewFile[]> {
  const things = await readThings(api, run.id);
  const tasks = things.filter(({ kind }) => kind === "task");
  const pages = things.filter(({ kind }) => kind !== "task");
  const origin = (await services.findServer()) ?? "";
  const { report } = run;
  const title = report === null ? "Tasks" : capitalized(wordsOf(report).kinds.task?.[1] ?? "Tasks");
  return [
    ...pages.map((page) => ({ name: fileNameOf(page.title), text: pageText(page) })),
    ...(tasks.length === 0 ? [] : [{ name: fileNameOf(title), text: tasksText(title, tasks) }]),
    ...(report === null ? [] : [{ name: "Report", text: renderReportMarkdown(report, origin) }]),
  ];
}

/** Everything with a text that the run made or changed and that is still there, without its working notes, oldest first. */
async function readThings(api: Api, runId: string): Promise<readonly Entity[]> {
  const { items } = await fetchList<{ id: string; op: string; kind: string; project_id: string; is_there: boolean }>(
    { limit: thingsMax },
    (page) => api(routes.runParts.outputs, { params: { runId }, query: { ...page, bookkeeping: "false" } }),
  );
  const wanted = items.filter(({ op, is_there: isThere }) => isThere && (op === "created" || op === "updated"));
  const things = new Map<string, Entity>();
  for (const { id, kind, project_id: projectId } of wanted.toReversed()) {
    if (!isKind(kind) || things.has(id)) continue;
    const found = await getIfThere(api(routes[kind].get, { params: { projectId, entityId: id } }));
    if (found !== null) things.set(id, found);
  }
  return [...things.values()];
}

const isKind = (kind: string): kind is EntityKind => (entityKinds as readonly string[]).includes(kind);

function pageText({ title, content, description }: Entity): string {
  const text = (content.trim() === "" ? description : content).trim();
  return text.startsWith("# ") ? `${text}\n` : `# ${oneLine(title)}\n\n${text}\n`;
}

function tasksText(heading: string, tasks: readonly Entity[]): string {
  const lines = tasks.map((task) => {
    const due = task.due_at === null ? "" : ` (due ${dateOf(task.due_at)})`;
    const text = [task.description, task.content].filter((each) => each.trim() !== "").join("\n\n");
    const below = text === "" ? "" : `\n${text.replaceAll(/^(?=.)/gm, "  ")}`;
    return `- [${task.state_key === "done" ? "x" : " "}] ${oneLine(task.title)}${due}${below}`;
  });
  return `# ${heading}\n\n${lines.join("\n")}\n`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

async function writeFree(files: Files, folder: string, { name, text }: NewFile): Promise<WrittenFile> {
  for (let number = 1; number <= namesMax; number++) {
    const tried = number === 1 ? `${name}.md` : `${name} ${number}.md`;
    const at = path.join(folder, tried);
    if (await files.writeNew(at, text)) return { name: tried, how: number === 1 ? "new" : "renamed" };
    if ((await files.readText(at)) === text) return { name: tried, how: "unchanged" };
  }
  throw new Error(`bug: ${namesMax} files have the name ${name}`);
}
