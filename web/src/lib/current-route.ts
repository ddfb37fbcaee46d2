// What the address says: which project, which kind of thing, which thing.

import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Project } from "../../../src/protocol/api.ts";
import { includesRole } from "../../../src/protocol/kinds.ts";
import { projectQuery } from "./data/projects.ts";

export function useProjectId(): string {
  return useParams({ from: "/in/projects/$projectId" }).projectId;
}

/** The project of the page. It is loaded before any of its pages is shown. */
export function useProject(): Project {
  return useSuspenseQuery(projectQuery(useProjectId())).data;
}

export function mayEdit(project: Project): boolean {
  return includesRole(project.role, "editor") && project.deleted_at === null;
}

export function mayManage(project: Project): boolean {
  return includesRole(project.role, "owner");
}
