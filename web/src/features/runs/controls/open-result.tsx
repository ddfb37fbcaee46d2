// Leads to what a run made: the page of its primary output, or its result where that has no page.

import type { ReactNode } from "react";
import { kindSpecs } from "../../../../../src/protocol/kinds.ts";
import { ButtonLink } from "../../../ui/links.tsx";
import { useRun } from "../run-context.tsx";

type OpenResultProps = { readonly variant: "filled" | "default"; readonly children: ReactNode };

export function OpenResult({ variant, children }: OpenResultProps) {
  const { run } = useRun();
  const primary = run.report?.primary_output;
  const plural = Object.entries(kindSpecs).find(([kind]) => kind === primary?.type)?.[1].plural;
  if (!primary?.project_id || plural === undefined)
    return (
      <ButtonLink variant={variant} to="/homework/runs/$runId" params={{ runId: run.id }}>
        {children}
      </ButtonLink>
    );
  return (
    <ButtonLink
      variant={variant}
      to="/projects/$projectId/$plural/$entityId"
      params={{ projectId: primary.project_id, plural, entityId: primary.id }}
    >
      {children}
    </ButtonLink>
  );
}
