// What the run would write, to be approved or rejected one by one or all together. Nothing of it is written before that.

import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { counted } from "../../../../../src/protocol/figures.ts";
import { useAway } from "../../../lib/use-away.ts";
import { QueryView } from "../../../ui/query-view.tsx";
import { ControlButton } from "../controls/control-button.tsx";
import { useRun } from "../run-context.tsx";
import { DriftedWrites } from "./drifted-writes.tsx";
import { pendingWritesQuery } from "./staged-queries.ts";
import { StagedWriteCard } from "./staged-write-card.tsx";
import { type Decision, useDecide } from "./use-decide.ts";

/** `isAlone`: nothing else is asked, so the last decision lets the run go on. */
export function WritesApproval({ isAlone }: { readonly isAlone: boolean }) {
  const { run } = useRun();
  const pending = useQuery(pendingWritesQuery(run.id));
  return (
    <Stack gap="sm" component="section" aria-label="Changes it would make">
      <QueryView query={pending}>
        {(writes) =>
          writes.length === 0 ? (
            <Text size="sm">
              {isAlone
                ? "Every change is decided: it goes on in a moment."
                : "Every change is decided. Now answer the rest below."}
            </Text>
          ) : (
            <>
              <AllAtOnce ids={writes.map(({ id }) => id)} isAlone={isAlone} />
              {writes.map((write) => (
                <StagedWriteCard key={write.id} write={write} />
              ))}
            </>
          )
        }
      </QueryView>
      <DriftedWrites />
    </Stack>
  );
}

function AllAtOnce({ ids, isAlone }: { readonly ids: readonly string[]; readonly isAlone: boolean }) {
  const decide = useDecide();
  const away = useAway();
  const all = (decision: Decision) => decide.mutate(ids.map((id) => ({ change_id: id, decision, note: "" })));
  const after = isAlone ? "; then the run goes on" : "";
  return (
    <Group justify="space-between" gap="xs">
      <Text fw={600}>It wants to make {counted(ids.length, "change")}; nothing is written before you say so.</Text>
      {ids.length > 1 ? (
        <Group gap="xs">
          <ControlButton
            size="xs"
            says={`Writes all ${ids.length} exactly as shown${after}`}
            offBecause={away}
            loading={decide.isPending}
            onClick={() => all("approve")}
          >
            Approve all {ids.length}
          </ControlButton>
          <ControlButton
            size="xs"
            variant="default"
            says={`Writes none of them${after}`}
            offBecause={away}
            loading={decide.isPending}
            onClick={() => all("reject")}
          >
            Reject all
          </ControlButton>
        </Group>
      ) : null}
    </Group>
  );
}
