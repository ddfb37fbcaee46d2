// Says that the thing is in the bin, and takes it out.

import { Alert, Button, Group, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { Entity } from "../../../../src/protocol/api.ts";
import { tone } from "../../lib/tones.ts";
import { useEntityBin } from "./use-entity-bin.ts";

type EntityBinNoticeProps = { readonly entity: Entity; readonly mayRestore: boolean };

export function EntityBinNotice({ entity, mayRestore }: EntityBinNoticeProps) {
  const { restore } = useEntityBin(entity);
  return (
    <Alert color={tone.plain} mb="md" title={`This ${entity.kind} is in the bin`} icon={<IconTrash aria-hidden />}>
      <Group justify="space-between">
        <Text size="sm">It can be read but not changed.</Text>
        {mayRestore ? (
          <Button size="xs" variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
            Restore it
          </Button>
        ) : null}
      </Group>
    </Alert>
  );
}
