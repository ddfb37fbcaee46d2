// The page of one thing, whatever its kind.

import { Box, Grid, Stack } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Entity } from "../../../../src/protocol/api.ts";
import type { EntityKind } from "../../../../src/protocol/kinds.ts";
import { mayEdit, useProject } from "../../lib/current-route.ts";
import { entityQuery } from "../../lib/data/entities.ts";
import { isClosed } from "../../lib/urgency.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { PageSkeleton } from "../../ui/skeletons.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { EdgesSection } from "./edges-section.tsx";
import { EntityBinNotice } from "./entity-bin-notice.tsx";
import { EntityCrumbs } from "./entity-crumbs.tsx";
import { EntityEditor } from "./entity-editor.tsx";
import { EntityFacts } from "./entity-facts.tsx";
import { EntityHistory } from "./entity-history.tsx";
import { EntityReader, Standing } from "./entity-reader.tsx";
import { HandOver } from "./hand-over.tsx";
import { PlaceInTree } from "./place-in-tree.tsx";
import { StaleEntityChoice } from "./stale-entity-choice.tsx";
import { ContentsBeside } from "./table-of-contents.tsx";
import { useEntityEditing } from "./use-entity-editing.ts";
import { useHeadings } from "./use-headings.ts";
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
  const writing = useWriting(entity, editing.draft !== null);
  const isWriting = editable && writing.isOpen;
  const { headings, setArticle } = useHeadings();
  const isDocument = entity.kind === "document";
  const isRead = isReadFirst(entity.kind);
  const isReached = isRead && !isDocument;
  const isStandingFirst = useStandingFirst(entity.kind);
  const facts = <EntityFacts entity={entity} editable={editable} onChange={editing.saveField} />;
  usePageTitle(entity.title, project.name);
  return (
    <>
      <EntityCrumbs project={project} entity={entity} />
      {entity.deleted_at ? <EntityBinNotice entity={entity} mayRestore={mayChange} /> : null}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          {isStandingFirst && isWriting ? (
            <Box mb="sm">
              <Standing entity={entity} />
            </Box>
          ) : null}
          {isWriting ? (
            <EntityEditor
              entity={entity}
              editing={editing}
              takesFocus={writing.wasOpened}
              {...(isRead ? { onClose: writing.close } : {})}
            />
          ) : (
            <EntityReader
              entity={entity}
              headings={headings}
              articleRef={setArticle}
              {...(editable ? { onEdit: writing.open } : {})}
            />
          )}
          <WayThere entity={entity} editable={editable} hasEdges={isReached} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg" className={isDocument && !isWriting ? "stays-beside" : ""}>
            {isWriting ? null : <ContentsBeside headings={headings} />}
            {facts}
            <Beside entity={entity} editable={editable} hasEdges={!isReached} />
          </Stack>
        </Grid.Col>
      </Grid>
      <StaleEntityChoice editing={editing} />
    </>
  );
}

/** Where a document stands, what is linked, and what happened. */
function Beside({ entity, editable, hasEdges }: WayThereProps) {
  return (
    <>
      {entity.kind === "document" ? <PlaceInTree entity={entity} editable={editable} /> : null}
      {hasEdges ? <EdgesSection entity={entity} editable={editable} /> : null}
      <EntityHistory entity={entity} />
    </>
  );
}

type WayThereProps = { readonly entity: Entity; readonly editable: boolean; readonly hasEdges: boolean };

/** What leads to a goal, a plan's end or a milestone, and the way to have it, or a task, done. */
function WayThere({ entity, editable, hasEdges }: WayThereProps) {
  const isOffered = editable && (hasEdges || (entity.kind === "task" && !isClosed(entity)));
  if (!hasEdges && !isOffered) return null;
  return (
    <Stack gap="lg" mt="lg">
      {hasEdges ? <EdgesSection entity={entity} editable={editable} hasProgress /> : null}
      {isOffered ? <HandOver entity={entity} /> : null}
    </Stack>
  );
}

/** On a phone, the details of a task lie below its whole text: state and date are said above it, too. */
function useStandingFirst(kind: EntityKind): boolean {
  const isNarrow = useMediaQuery("(max-width: 62em)", false, { getInitialValueInEffect: false });
  return isNarrow && kind === "task";
}

/** A task is a form to fill in; everything else is opened to see what it says. */
const isReadFirst = (kind: EntityKind) => kind !== "task";

/** What is read first is so unless it is a document without text, or something was typed and not saved. */
function useWriting(entity: Entity, hasDraft: boolean) {
  const isEmptyDocument = entity.kind === "document" && entity.content.trim() === "";
  const [begins] = useState(!isReadFirst(entity.kind) || hasDraft || isEmptyDocument);
  const [opened, setOpened] = useState<boolean | null>(null);
  return {
    isOpen: opened ?? begins,
    /** With a button, not by itself. */
    wasOpened: opened ?? false,
    open: () => setOpened(true),
    close: () => setOpened(false),
  };
}
