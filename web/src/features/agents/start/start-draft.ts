// The form for a new task as it is kept between reloads, what is wrong with it, and what is sent. Pure.

export type StartDraft = {
  readonly prompt: string;
  readonly project: string;
  readonly folder: string;
  readonly agent: string;
};

export const emptyDraft: StartDraft = { prompt: "", project: "", folder: "", agent: "" };

/** `project`: the one whose page led here. */
export function readDraft(kept: unknown, project: string | undefined): StartDraft {
  const known = typeof kept === "object" && kept !== null ? (kept as Partial<Record<string, unknown>>) : {};
  const wordOf = (name: keyof StartDraft) => (typeof known[name] === "string" ? known[name] : "");
  return {
    prompt: wordOf("prompt"),
    project: project ?? wordOf("project"),
    folder: wordOf("folder"),
    agent: wordOf("agent"),
  };
}

export function problemsOf({ project, folder }: StartDraft): Readonly<Record<"project" | "folder", string | null>> {
  const isName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(project);
  const isPath = folder.trim() === "" || /^(\/|[A-Za-z]:\\)/.test(folder.trim());
  return {
    project: project === "" || isName ? null : "Use letters, digits, hyphens and underscores.",
    folder: isPath ? null : "Use an absolute path.",
  };
}

export function toRequest(draft: StartDraft, projects: readonly string[]) {
  const folder = draft.folder.trim();
  return {
    params: { agentProject: draft.project },
    body: {
      prompt: draft.prompt,
      new_project: !projects.includes(draft.project),
      ...(folder === "" ? {} : { project_root: folder }),
      ...(draft.agent === "" ? {} : { agent: draft.agent }),
    },
  };
}
