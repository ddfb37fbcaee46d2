// A project's things of one kind: the list, or for documents the tree; the bin; and the form for a new one.

import { Stack, Title, VisuallyHidden } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { kindSpecs, sortsOfKind } from "../../../../src/protocol/kinds.ts";
import { mayEdit, useProject } from "../../lib/current-route.ts";
import type { ListSearch } from "../../lib/search-params.ts";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { wordsOf } from "../../ui/wording.ts";
import { DocumentTree } from "./document-tree.tsx";
import { EntityList } from "./entity-list.tsx";
import { EntityToolbar } from "./entity-toolbar.tsx";
import { NewEntityModal } from "./new-entity-modal.tsx";
import { useKind } from "./use-kind.ts";

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
    sort: sortsOfKind(kind).find((sort) => sort === search.sort),
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
