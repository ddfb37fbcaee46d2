// The branches that executors of the iteration explore, side by side.

import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { counted } from "../../../../src/protocol/figures.ts";
import type { RunView } from "../../../../src/protocol/run-view.ts";
import { entriesQuery } from "../../lib/data/runs.ts";
import { type Branch, branchesOf } from "./branches.ts";

type BranchesProps = { readonly runId: string; readonly view: RunView };

export function BranchesSection({ runId, view: { state, iteration, entryCount } }: BranchesProps) {
  const isRunning = state.status === "running";
  // An iteration that is due and has not begun is not there yet, and the entries are those of the one before.
  const hasBegun = isRunning ? state.since !== null : state.status !== "queued" && entryCount > 0;
  const read = useInfiniteQuery({ ...entriesQuery(runId, iteration), enabled: hasBegun });
  const entries = hasBegun ? (read.data?.pages.flatMap((page) => page.items) ?? []) : [];
  const branches = branchesOf(entries);
  return (
    <section aria-label="Branches being explored">
      <Title order={4} size="h6" mb={4}>
        Branches being explored
      </Title>
      {branches.length === 0 ? (
        <Text size="sm" c="dimmed">
          {hasBegun ? `None in this iteration${isRunning ? " so far" : ""}: the planner works alone.` : "None yet."}
        </Text>
      ) : (
        <Stack component="ul" gap="xs" className="plain-list">
          {branches.map((branch) => (
            <BranchLine key={branch.lane} branch={branch} isRunning={isRunning} />
          ))}
        </Stack>
      )}
    </section>
  );
}

function BranchLine({ branch, isRunning }: { readonly branch: Branch; readonly isRunning: boolean }) {
  const { title, latest, entryCount, isDone } = branch;
  return (
    <li>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={600} lineClamp={2} className="breakable grow" dir="auto">
          {title}
        </Text>
        <BranchBadge isDone={isDone} isRunning={isRunning} />
      </Group>
      <Text size="xs" c="dimmed" lineClamp={2} className="breakable" dir="auto">
        {latest} · {counted(entryCount, "step")}
      </Text>
    </li>
  );
}

function BranchBadge({ isDone, isRunning }: { readonly isDone: boolean; readonly isRunning: boolean }) {
  if (isDone)
    return (
      <Badge variant="light" color="green" tt="none" size="sm" className="unshrinkable">
        Done
      </Badge>
    );
  return (
    <Badge variant="light" color={isRunning ? "blue" : "gray"} tt="none" size="sm" className="unshrinkable">
      {isRunning ? "At work" : "Cut off"}
    </Badge>
  );
}
