// A project's things of one kind: the list, or for documents the tree; the bin; and the form for a new one.

import { Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type EntityKind, kindSpecs, sortsOfKind } from "../../../../src/protocol/kinds.ts";
import { mayEdit, useProject } from "../../lib/current-route.ts";
import type { ListSearch } from "../../lib/search-params.ts";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { wordsOf } from "../../ui/wording.ts";
import { DocumentTree } from "./document-tree.tsx";
import { EntityList } from "./entity-list.tsx";
import { EntityToolbar } from "./entity-toolbar.tsx";
import { NewEntityModal } from "./new-entity-modal.tsx";
import { useKind } from "./use-kind.ts";

type AboutProps = { readonly kind: EntityKind; readonly bin: boolean };

/** What one looks at, where the rows alone do not say it. */
function About({ kind, bin }: AboutProps) {
  const words = bin
    ? `These ${kindSpecs[kind].plural} were put in the bin. Restore the ones you still need.`
    : nextSteps[kind];
  if (words === undefined) return null;
  return (
    <Text size="sm" c="dimmed" maw={720}>
      {words}
    </Text>
  );
}

const nextSteps: Readonly<Partial<Record<EntityKind, string>>> = {
  goal: "Goals say what this project is for. Open a goal to link tasks with it, or to have Homework work on it.",
  plan: "Plans say how something will be done. Open a plan to link tasks with it, or to have Homework carry it out.",
  milestone: "Milestones are dates to be met. Open a milestone to see what it needs, or to have Homework work on it.",
};

/** Milestones are dates: the next one comes first. Undefined: what changed last. */
const usualSort = (kind: EntityKind, bin: boolean) => (kind === "milestone" && !bin ? "due" : undefined);

export function EntitiesTab() {
  const project = useProject();
  const kind = useKind();
  const search = useSearch({ from: "/in/projects/$projectId/tabs/$plural" });
  const navigate = useNavigate({ from: "/projects/$projectId/$plural" });
  const { plural, states } = kindSpecs[kind];
  const show = (next: ListSearch) => void navigate({ search: next, replace: true });
  const editable = mayEdit(project);
  const asTree = kind === "document" && !search.bin && !search.state && !search.sort;
  const filter = {
    bin: search.bin ?? false,
    state: states.find((state) => state === search.state),
    sort: sortsOfKind(kind).find((sort) => sort === search.sort) ?? usualSort(kind, search.bin ?? false),
    notes: search.notes ?? false,
  };
  const openForm = () => show({ ...search, new: true });
  const heading = search.bin ? `${wordsOf(plural)} in the bin` : wordsOf(plural);
  usePageTitle(heading, project.name);
  return (
    <Stack component="section">
      <VisuallyHidden>
        <Title order={2}>{heading}</Title>
      </VisuallyHidden>
      <About kind={kind} bin={filter.bin} />
      <EntityToolbar kind={kind} search={search} onChange={show} {...(editable ? { onNew: openForm } : {})} />
      {asTree ? (
        <DocumentTree projectId={project.id} notes={search.notes ?? false} {...(editable ? { onNew: openForm } : {})} />
      ) : (
        <EntityList
          key={`${kind} ${filter.bin}`}
          projectId={project.id}
          kind={kind}
          filter={filter}
          editable={editable}
          {...(editable ? { onNew: openForm } : {})}
        />
      )}
      {search.new && editable ? (
        <NewEntityModal projectId={project.id} kind={kind} onClose={() => show({ ...search, new: undefined })} />
      ) : null}
    </Stack>
  );
}
