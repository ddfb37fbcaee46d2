// There is nothing to show among a run's outputs: why, and what to do about it.

import { Button } from "@mantine/core";
import { IconPackage } from "@tabler/icons-react";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import type { RunStatus } from "../../../ui/run-words.ts";
import { goesOnByItself } from "../../../ui/run-words.ts";
import type { OutputFilter } from "./output-groups.ts";

type NoOutputsProps = {
  readonly status: RunStatus;
  readonly filter: OutputFilter;
  readonly onFilter: (filter: OutputFilter) => void;
};

export function NoOutputs({ status, filter, onFilter }: NoOutputsProps) {
  const icon = <IconPackage aria-hidden />;
  if (filter.kind)
    return (
      <EmptyNotice
        icon={icon}
        title="None of this kind"
        actions={
          <Button variant="default" onClick={() => onFilter({ ...filter, kind: null })}>
            Show every kind
          </Button>
        }
      >
        This run has nothing of this kind to show.
      </EmptyNotice>
    );
  const { title, text } = words(status);
  return (
    <EmptyNotice icon={icon} title={title}>
      {text}
    </EmptyNotice>
  );
}

function words(status: RunStatus): { readonly title: string; readonly text: string } {
  if (goesOnByItself(status))
    return {
      title: "Nothing yet",
      text: "Whatever this run creates, changes or links appears here while it works.",
    };
  if (status === "waiting_on_user")
    return { title: "Nothing yet", text: "It waits for your answer. What it makes after that appears here." };
  return {
    title: "It made nothing",
    text: "This run created, changed and linked nothing. The timeline shows what it did instead.",
  };
}
