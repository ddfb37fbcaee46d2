// Where homework may look and write, and who does it.

import { Input, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { modelsQuery } from "../../lib/data/runs.ts";
import { type ScopeChoice, scopeChoices } from "./homework-draft.ts";
import type { ComposerForm } from "./use-composer.ts";

const ProjectPicker = lazy(async () => ({ default: (await import("./project-picker.tsx")).ProjectPicker }));

const scopeWords: Readonly<Record<ScopeChoice, string>> = {
  global: "All projects",
  project: "One project",
  multi_project: "Several projects",
};

/** The planner, and the agents that were found on the server's machine. */
function EngineFields({ form }: { readonly form: ComposerForm }) {
  const models = useQuery(modelsQuery).data;
  const { engine, workFolder } = form.values;
  const names = models?.agents ?? [];
  const usual = models?.is_demo && names.length > 0 ? "agent" : "planner";
  const { setFieldValue } = form;
  useEffect(() => {
    if (engine === "" && usual === "agent") setFieldValue("engine", usual);
  }, [engine, usual, setFieldValue]);
  const agents = names.length === 0 ? "Agent (none installed)" : `Agent (${names.join(", ")})`;
  return (
    <>
      <NativeSelect
        label="Who does it"
        data={[
          { value: "planner", label: models?.is_demo ? "Planner (demo model)" : "Planner (built in)" },
          { value: "agent", label: agents, disabled: names.length === 0 },
        ]}
        value={engine === "" ? usual : engine}
        onChange={({ currentTarget: { value } }) => setFieldValue("engine", value === "agent" ? "agent" : "planner")}
      />
      {engine === "agent" ? (
        <TextInput
          label="Git repository (optional)"
          placeholder="/home/me/project"
          title="The absolute path of a git repository on the server"
          value={workFolder}
          onChange={(event) => setFieldValue("workFolder", event.currentTarget.value)}
        />
      ) : null}
    </>
  );
}

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
        label="Where it works"
        data={scopeChoices.map((value) => ({ value, label: scopeWords[value] }))}
        value={scope}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {scope === "global" ? null : (
        <Input.Wrapper label={scope === "project" ? "Project" : "Projects"}>
          <Suspense fallback={null}>
            <ProjectPicker
              isMany={scope === "multi_project"}
              value={projectIds}
              onChange={(ids) => form.setFieldValue("projectIds", [...ids])}
              error={form.errors.projectIds}
            />
          </Suspense>
        </Input.Wrapper>
      )}
      <EngineFields form={form} />
    </>
  );
}
