// The page of one thing, whatever its kind.

import { Grid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Entity } from "../../../../src/protocol/api.ts";
import { mayEdit, useProject } from "../../lib/current-route.ts";
import { entityQuery } from "../../lib/data/entities.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { PageSkeleton } from "../../ui/skeletons.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { EdgesSection } from "./edges-section.tsx";
import { EntityBinNotice } from "./entity-bin-notice.tsx";
import { EntityCrumbs } from "./entity-crumbs.tsx";
import { EntityEditor } from "./entity-editor.tsx";
import { EntityFacts } from "./entity-facts.tsx";
import { EntityHistory } from "./entity-history.tsx";
import { EntityReader } from "./entity-reader.tsx";
import { PlaceInTree } from "./place-in-tree.tsx";
import { StaleEntityChoice } from "./stale-entity-choice.tsx";
import { useEntityEditing } from "./use-entity-editing.ts";
import { useKind } from "./use-kind.ts";

export function EntityPage() {
  const { projectId, entityId } = useParams({ from: "/in/projects/$projectId/$plural/$entityId" });
  const entity = useQuery(entityQuery(projectId, useKind(), entityId));
  return (
    <QueryView query={entity} skeleton={<PageSkeleton />}>
      {(loaded) => <LoadedEntity key={loaded.id} entity={loaded} />}
    </QueryView>
  );
}

function LoadedEntity({ entity }: { readonly entity: Entity }) {
  const project = useProject();
  const editing = useEntityEditing(entity);
  const mayChange = mayEdit(project);
  const editable = mayChange && entity.deleted_at === null;
  usePageTitle(entity.title, project.name);
  return (
    <>
      <EntityCrumbs project={project} entity={entity} />
      {entity.deleted_at ? <EntityBinNotice entity={entity} mayRestore={mayChange} /> : null}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          {editable ? <EntityEditor entity={entity} editing={editing} /> : <EntityReader entity={entity} />}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <EntityFacts entity={entity} editable={editable} onChange={editing.saveField} />
            {entity.kind === "document" ? <PlaceInTree entity={entity} editable={editable} /> : null}
            <EdgesSection entity={entity} editable={editable} />
            <EntityHistory entity={entity} />
          </Stack>
        </Grid.Col>
      </Grid>
      <StaleEntityChoice editing={editing} />
    </>
  );
}
