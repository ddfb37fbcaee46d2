// Where the thing is: project, kind, and for a document the documents above it.

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Entity, Project } from "../../../../src/protocol/api.ts";
import { kindSpecs } from "../../../../src/protocol/kinds.ts";
import { treeQuery } from "../../lib/data/entities.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { AnchorLink } from "../../ui/links.tsx";
import { Crumbs } from "../../ui/page-header.tsx";
import { ancestorsOf } from "../../ui/tree-shape.ts";
import { wordsOf } from "../../ui/wording.ts";

type EntityCrumbsProps = { readonly project: Project; readonly entity: Entity };

export function EntityCrumbs({ project, entity }: EntityCrumbsProps) {
  const { plural } = kindSpecs[entity.kind];
  const tree = useQuery({ ...treeQuery(project.id, true), enabled: entity.kind === "document" });
  const above = ancestorsOf(tree.data?.items ?? [], entity.id);
  return (
    <Crumbs
      crumbs={[
        <AnchorLink key="projects" to="/projects">
          Projects
        </AnchorLink>,
        <AnchorLink key="project" to="/projects/$projectId" params={{ projectId: project.id }}>
          {project.name}
        </AnchorLink>,
        <AnchorLink key="kind" to="/projects/$projectId/$plural" params={{ projectId: project.id, plural }}>
          {wordsOf(plural)}
        </AnchorLink>,
        ...above.map((node) => (
          <EntityLink key={node.id} kind="document" projectId={project.id} id={node.id}>
            {node.title}
          </EntityLink>
        )),
        <Text key="here" span aria-current="page">
          {entity.title}
        </Text>,
      ]}
    />
  );
}
