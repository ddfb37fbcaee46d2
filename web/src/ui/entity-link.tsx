// A link to the page of a project or of a thing in it.

import type { AnchorProps } from "@mantine/core";
import type { ReactNode } from "react";
import type { SearchHit } from "../../../src/protocol/api.ts";
import { kindSpecs } from "../../../src/protocol/kinds.ts";
import { AnchorLink } from "./links.tsx";

type EntityLinkProps = AnchorProps & {
  readonly kind: SearchHit["kind"];
  readonly projectId: string;
  readonly id: string;
  readonly children: ReactNode;
  readonly tabIndex?: number;
};

export function EntityLink({ kind, projectId, id, ...rest }: EntityLinkProps) {
  if (kind === "project") return <AnchorLink to="/projects/$projectId" params={{ projectId }} {...rest} />;
  const { plural } = kindSpecs[kind];
  return (
    <AnchorLink to="/projects/$projectId/$plural/$entityId" params={{ projectId, plural, entityId: id }} {...rest} />
  );
}
