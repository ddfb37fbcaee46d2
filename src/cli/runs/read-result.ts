// Reads what a run made first of all, so that a command can show it and not only name it.

import { type RunReport, routes } from "../../protocol/api.ts";
import type { Api } from "../../protocol/client.ts";
import { type EntityKind, entityKinds } from "../../protocol/kinds.ts";
import { getIfThere } from "../find.ts";

/** The main output of a run, as Markdown. */
export type MainOutput = { readonly title: string; readonly type: string; readonly markdown: string };

/** Null where a run made nothing. What was deleted since, or has no text of its own, is shown as the report tells it. */
export async function readMainOutput(api: Api, { primary_output: primary }: RunReport): Promise<MainOutput | null> {
  if (primary === null) return null;
  const { type, title, opening, project_id: projectId, id: entityId } = primary;
  const told = { title, type, markdown: opening };
  if (!isKind(type) || projectId === null) return told;
  const found = await getIfThere(api(routes[type].get, { params: { projectId, entityId } }));
  if (found === null) return told;
  const text = [found.content, found.description].find((each) => each.trim() !== "") ?? opening;
  return { title: found.title, type, markdown: text };
}

const isKind = (type: string): type is EntityKind => (entityKinds as readonly string[]).includes(type);
