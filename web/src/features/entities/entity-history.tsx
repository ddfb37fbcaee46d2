// Every write to this one thing; fetched when opened.

import { Accordion } from "@mantine/core";
import { useState } from "react";
import type { Entity } from "../../../../src/protocol/api.ts";
import { History } from "../../ui/history.tsx";

export function EntityHistory({ entity }: { readonly entity: Entity }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Accordion order={2} value={open} onChange={setOpen} variant="contained">
      <Accordion.Item value="history">
        <Accordion.Control>History of this {entity.kind}</Accordion.Control>
        <Accordion.Panel>
          {open ? <History projectId={entity.project_id} entityId={entity.id} /> : null}
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
