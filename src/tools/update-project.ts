// update_project: name, description, state and properties; what is left out stays as it is.

import { z } from "zod";
import type { Project } from "../domain/entity/entity.ts";
import { projectStates } from "../domain/entity/kinds.ts";
import { type ProjectChange, updateProject as saveProject } from "../store/project-store.ts";
import { description, expectedVersion, fitsProps, projectId, props, source, title } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { markChanged } from "./homework-tag.ts";
import { notFound, openProject } from "./scope.ts";
import { refuse, type ToolRefusal } from "./tool.ts";

const args = z.strictObject({
  project_id: projectId.optional(),
  expected_version: expectedVersion.optional(),
  name: title.optional(),
  description: description.optional(),
  state: z.enum(projectStates).optional().describe("Its new state"),
  props: props.optional(),
  source,
});

type Asked = z.output<typeof args>;

export const updateProject = defineWrite<Asked>({
  name: "update_project",
  description: "Changes a project's name, description, state or properties; what you leave out stays.",
  args,
  tags: [],
  stage: 2,
  write: async (tx, context, asked) => {
    const opened = await openProject(tx, context, asked.project_id, "editor");
    if (!opened.ok) return opened;
    const { id } = opened.value;
    const change = changeOf(opened.value, asked);
    if ("ok" in change) return change;
    const saved = await saveProject(tx, id, change);
    if (saved.outcome === "stale") return stale(saved.current);
    if (saved.outcome !== "saved") return notFound("project", id);
    return {
      ok: true,
      text: `Changed the project ${id}; it is at version ${saved.value.version}.`,
      artifacts: [{ kind: "project", id }],
      summary: `Changed the project ${quoted(saved.value.name)}`,
      isUntrusted: false,
    };
  },
});

function changeOf(now: Project, asked: Asked): ProjectChange | ToolRefusal {
  if (asked.expected_version !== undefined && asked.expected_version !== now.version) return stale(now);
  const merged = markChanged(now.props, asked.props, asked.source);
  if (merged !== undefined && !fitsProps(merged))
    return refuse("invalid_arguments", "The properties would get too large; take some away with null first.");
  const fields = { name: asked.name, description: asked.description, state_key: asked.state, props: merged };
  if (Object.values(fields).every((value) => value === undefined))
    return refuse("invalid_arguments", "Nothing to change: give at least one field besides the id.");
  return { version: now.version, ...fields };
}

const stale = ({ id, version }: Project): ToolRefusal =>
  refuse(
    "conflict",
    `The project ${id} was changed in the meantime (it is at version ${version}). Read it with get_project, then decide again.`,
  );
