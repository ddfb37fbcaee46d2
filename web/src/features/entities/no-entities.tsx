// The first time one opens a kind: what it is for and how to begin.

import { Button } from "@mantine/core";
import { type EntityKind, kindSpecs } from "../../../../src/protocol/kinds.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { kindPurposes } from "../../ui/wording.ts";

type NoEntitiesProps = { readonly kind: EntityKind; readonly onNew?: () => void };

export function NoEntities({ kind, onNew }: NoEntitiesProps) {
  return (
    <EmptyNotice
      icon={<KindIcon kind={kind} size={28} />}
      title={`No ${kindSpecs[kind].plural} yet`}
      actions={onNew ? <Button onClick={onNew}>Create the first {kind}</Button> : null}
    >
      {kindPurposes[kind]}
    </EmptyNotice>
  );
}
