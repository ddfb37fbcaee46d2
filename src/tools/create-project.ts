// create_project: only for who may work everywhere; a run that was given projects stays in them.

import { z } from "zod";
import { projectStates } from "../domain/entity/kinds.ts";
import { createProject as makeProject } from "../store/project-store.ts";
import { description, props, source, title } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { markNew } from "./homework-tag.ts";
import { refuse } from "./tool.ts";

const args = z.strictObject({
  name: title,
  description: description.default(""),
  state: z.enum(projectStates).default("active").describe("Its state at first"),
  props: props.optional(),
  source,
});

export const createProject = defineWrite<z.output<typeof args>>({
  name: "create_project",
  description:
    "Makes a new project that belongs to the user. Not possible where you were given the projects to work in.",
  args,
  tags: [],
  stage: 2,
  write: async (tx, context, asked) => {
    const id = context.newId();
    if (context.projectIds !== null)
      return refuse("denied", "Only certain projects were given to work in: use one of those (list_projects).");
    await makeProject(tx, id, context.userId, {
      name: asked.name,
      description: asked.description,
      type_key: "project.default",
      state_key: asked.state,
      props: markNew(context, asked.props, { source: asked.source }),
    });
    return {
      ok: true,
      text: `Made the project ${id} (version 1). Use this id as project_id.`,
      artifacts: [{ kind: "project", id }],
      summary: `Made the project ${quoted(asked.name)}`,
      isUntrusted: false,
    };
  },
});
