// What the run would write, to be approved or rejected one by one or all together. Nothing is written before that.

import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { StagedWrite } from "../../../../../src/protocol/api.ts";
import { useAway } from "../../../lib/use-away.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useRun } from "../run-context.tsx";
import { DecisionBar } from "./decision-bar.tsx";
import { DriftedWrites } from "./drifted-writes.tsx";
import { approvedWritesQuery, pendingWritesQuery, rejectedWritesQuery } from "./staged-queries.ts";
import { countChanges, housekeepingWords, isHousekeeping, reviewWords, summaryWords } from "./staged-words.ts";
import { StagedWriteCard } from "./staged-write-card.tsx";
import { type Decide, type Decision, useDecide } from "./use-decide.ts";

type Decided = { readonly write: StagedWrite; readonly decision: Decision };

/** `isAlone`: nothing else is asked, so the last decision lets the run continue. */
export function WritesApproval({ isAlone }: { readonly isAlone: boolean }) {
  const { run } = useRun();
  const pending = useQuery(pendingWritesQuery(run.id));
  const [decided, setDecided] = useState<readonly Decided[]>([]);
  const command = useDecide();
  const away = useAway();
  const lines = useDecided(decided, pending.data);
  const decide: Decide = (writes, decision, note) =>
    command.mutate(
      writes.map(({ id }) => ({ change_id: id, decision, note: note.trim() })),
      () => setDecided((before) => [...before, ...writes.map((write) => ({ write, decision }))]),
    );
  const isOpen = ({ id }: StagedWrite) => decided.every(({ write }) => write.id !== id);
  return (
    <Stack gap="sm" component="section" aria-label="Proposed changes">
      <DecidedLines decided={lines} />
      <QueryView query={pending}>
        {(all) => {
          const writes = all.filter(isOpen);
          const cards = { decide, away, isBusy: command.isPending };
          return writes.length === 0 ? (
            <Text size="sm">
              {isAlone ? "Every change is decided. The run continues in a moment." : "Every change is decided."}
            </Text>
          ) : (
            <>
              {writes
                .filter((write) => !isHousekeeping(write))
                .map((write) => (
                  <StagedWriteCard key={write.id} write={write} {...cards} />
                ))}
              <Housekeeping writes={writes.filter(isHousekeeping)} {...cards} />
              <WritesBar writes={writes} {...cards} />
            </>
          );
        }}
      </QueryView>
      <DriftedWrites />
    </Stack>
  );
}

type WritesProps = {
  readonly writes: readonly StagedWrite[];
  readonly decide: Decide;
  readonly away: string | null;
  readonly isBusy: boolean;
};

function Housekeeping({ writes, ...cards }: WritesProps) {
  if (writes.length === 0) return null;
  return (
    <details className="fold">
      <Text component="summary" size="sm" fw={600}>
        {housekeepingWords(writes)}
      </Text>
      <Stack gap="sm">
        {writes.map((write) => (
          <StagedWriteCard key={write.id} write={write} {...cards} />
        ))}
      </Stack>
    </details>
  );
}

/** `now`: since this page was opened. What was decided before that about the same proposal is known to the server. */
function useDecided(now: readonly Decided[], pending: readonly StagedWrite[] = []): readonly Decided[] {
  const { run } = useRun();
  const approved = useQuery(approvedWritesQuery(run.id)).data ?? [];
  const rejected = useQuery(rejectedWritesQuery(run.id)).data ?? [];
  const isOfThisProposal = ({ id, iteration }: StagedWrite) =>
    iteration === pending[0]?.iteration && now.every(({ write }) => write.id !== id);
  const before = [...approved, ...rejected]
    .filter(isOfThisProposal)
    .map((write): Decided => ({ write, decision: write.state === "rejected" ? "reject" : "approve" }));
  return [...before, ...now].toSorted((one, other) => one.write.position - other.write.position);
}

function DecidedLines({ decided }: { readonly decided: readonly Decided[] }) {
  if (decided.length === 0) return null;
  return (
    <ul className="plain-list" aria-label="Decided">
      {decided.map(({ write, decision }) => (
        <Text component="li" key={write.id} size="sm" className="breakable" dir="auto">
          <Text span fw={600} size="sm" className={decision === "approve" ? "run-green" : "faint"}>
            {decision === "approve" ? "Approved" : "Rejected"}
          </Text>{" "}
          {summaryWords(write)}
        </Text>
      ))}
    </ul>
  );
}

function WritesBar({ writes, decide, away, isBusy }: WritesProps) {
  const count = countChanges(writes);
  const all = count === 1 ? "" : ` all ${count}`;
  const common = { offBecause: away, loading: isBusy } as const;
  return (
    <DecisionBar says={`${reviewWords(writes)} to review. Nothing is written until you approve.`}>
      <ControlButton
        {...common}
        variant="default"
        says="Writes none of them"
        onClick={() => decide(writes, "reject", "")}
      >
        Reject{all === "" ? "" : " all"}
      </ControlButton>
      <ControlButton {...common} says="Writes exactly what is shown" onClick={() => decide(writes, "approve", "")}>
        Approve{all}
      </ControlButton>
    </DecisionBar>
  );
}
