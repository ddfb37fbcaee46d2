// get_project: one project, and how much of each kind it holds.

import { z } from "zod";
import { kindSpecs } from "../domain/entity/kinds.ts";
import { sliceText } from "../lib/slice-text.ts";
import { countNodes, findForeignWords } from "../store/node-store.ts";
import { offset, pageSize, projectId } from "./arg-shapes.ts";
import { bounds, cut, quoted, sliceHeading } from "./bounds.ts";
import { defineRead } from "./define-tool.ts";
import { openProject } from "./scope.ts";

const args = z.strictObject({ project_id: projectId.optional(), offset, limit: pageSize });

export const getProject = defineRead<z.output<typeof args>>({
  name: "get_project",
  description: "Shows one project: name, description, state, and how many tasks, goals and documents it holds.",
  args,
  tags: ["private"],
  stage: 1,
  read: async (tx, context, asked) => {
    const opened = await openProject(tx, context, asked.project_id, "viewer");
    if (!opened.ok) return opened;
    const { id, name, stateKey, version, role, props, description } = opened.value;
    const counts = await countNodes(tx, id);
    const held = counts.map(({ kind, count }) => `${count} ${kindSpecs[kind].plural}`).join(", ");
    const slice = sliceText(description, asked.offset, asked.limit);
    const foreign = await findForeignWords(tx, [id], [id]);
    const lines = [
      `project ${id}`,
      `name: ${cut(name, bounds.title)}`,
      `state: ${stateKey} · version: ${version} · the user's role: ${role}`,
      `holds: ${held === "" ? "nothing yet" : held}`,
      ...(Object.keys(props).length === 0 ? [] : [`props: ${cut(JSON.stringify(props), bounds.props)}`]),
      sliceHeading("description", description, slice),
      slice.shown,
    ];
    return {
      ok: true,
      text: lines.join("\n"),
      artifacts: [],
      summary: `Read the project ${quoted(name)}`,
      isUntrusted: foreign.length > 0,
    };
  },
});
