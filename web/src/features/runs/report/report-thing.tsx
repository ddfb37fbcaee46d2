// A thing that a report names, with its picture and the way to its page.

import { Text } from "@mantine/core";
import { pathOfThing } from "../../../../../src/protocol/report-markdown.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { KindIcon } from "../../../ui/kind-icon.tsx";
import type { NamedThing } from "./report-words.ts";

export function ReportThing({ thing: { id, kind, title, projectId } }: { readonly thing: NamedThing }) {
  const words = <bdi>{title || `something (${id.slice(0, 8)})`}</bdi>;
  return (
    <Text span className="report-thing">
      {kind ? <KindIcon kind={kind} size={16} /> : null}
      {kind && projectId ? (
        <span className="breakable">
          <EntityLink kind={kind} projectId={projectId} id={id} lineClamp={3}>
            {words}
          </EntityLink>
          <span className="report-address">{addressOf(kind, projectId, id)}</span>
        </span>
      ) : (
        <span className="breakable">{words}</span>
      )}
    </Text>
  );
}

function addressOf(type: string, projectId: string, id: string): string {
  return `${window.location.origin}${pathOfThing({ type, id, title: "", project_id: projectId }) ?? ""}`;
}
