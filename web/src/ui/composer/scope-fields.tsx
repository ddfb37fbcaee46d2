// Where homework may look and write, and who does it.

import { NativeSelect } from "@mantine/core";
import { IconFolders, IconRoute } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { type ScopeChoice, scopeChoices } from "./homework-draft.ts";
import type { ComposerForm } from "./use-composer.ts";

const ProjectPicker = lazy(async () => ({ default: (await import("./project-picker.tsx")).ProjectPicker }));

const scopeWords: Readonly<Record<ScopeChoice, string>> = {
  global: "In everything I may see",
  project: "In one project",
  multi_project: "In several projects",
};

const engines = [
  { value: "planner", label: "The planner does it" },
  { value: "agent", label: "Coding agents: not in this version yet", disabled: true },
];

export function ScopeFields({ form }: { readonly form: ComposerForm }) {
  const { scope, projectIds } = form.values;
  const choose = (value: string) => {
    const chosen = scopeChoices.find((choice) => choice === value) ?? "global";
    form.setValues({ scope: chosen, projectIds: chosen === "project" ? projectIds.slice(0, 1) : projectIds });
    form.clearFieldError("projectIds");
  };
  return (
    <>
      <NativeSelect
        aria-label="Where it works"
        leftSection={<IconFolders size={16} aria-hidden />}
        data={scopeChoices.map((value) => ({ value, label: scopeWords[value] }))}
        value={scope}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {scope === "global" ? null : (
        <Suspense fallback={null}>
          <ProjectPicker
            isMany={scope === "multi_project"}
            value={projectIds}
            onChange={(ids) => form.setFieldValue("projectIds", [...ids])}
            error={form.errors.projectIds}
          />
        </Suspense>
      )}
      <NativeSelect
        aria-label="Who does it"
        leftSection={<IconRoute size={16} aria-hidden />}
        data={engines}
        value="planner"
        onChange={() => {}}
      />
    </>
  );
}
