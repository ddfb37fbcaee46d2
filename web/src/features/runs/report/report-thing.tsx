// A thing that a report names, with its picture and the way to its page.

import { Text } from "@mantine/core";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { KindIcon } from "../../../ui/kind-icon.tsx";
import type { NamedThing } from "./report-words.ts";

export function ReportThing({ thing: { id, kind, title, projectId } }: { readonly thing: NamedThing }) {
  const words = <bdi>{title || `something (${id.slice(0, 8)})`}</bdi>;
  return (
    <Text span className="report-thing">
      {kind ? <KindIcon kind={kind} size={16} /> : null}
      {kind && projectId ? (
        <EntityLink kind={kind} projectId={projectId} id={id} lineClamp={3} className="breakable">
          {words}
        </EntityLink>
      ) : (
        <span className="breakable">{words}</span>
      )}
    </Text>
  );
}
