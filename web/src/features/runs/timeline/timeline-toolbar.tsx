// Above the timeline: which end comes first, straight to one iteration, and whether the platform's own notes are shown.

import { Button, Group, NumberInput, SegmentedControl, Switch } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Order } from "./iteration-rows.ts";

type TimelineToolbarProps = {
  readonly last: number;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  readonly withPlatform: boolean;
  readonly onWithPlatform: (isShown: boolean) => void;
  readonly onJump: (iteration: number) => void;
};

const orders = [
  { value: "newest", label: "Newest first" },
  { value: "oldest", label: "Oldest first" },
] as const;

export function TimelineToolbar({ last, order, onOrder, withPlatform, onWithPlatform, onJump }: TimelineToolbarProps) {
  return (
    <Group gap="md" justify="space-between">
      <Group gap="md">
        <SegmentedControl
          size="sm"
          aria-label="Order of the iterations"
          data={[...orders]}
          value={order}
          onChange={(value) => onOrder(value === "oldest" ? "oldest" : "newest")}
        />
        <Switch
          label="Show the platform's own notes"
          checked={withPlatform}
          onChange={(change) => onWithPlatform(change.currentTarget.checked)}
        />
      </Group>
      {last > 5 ? <JumpForm last={last} onJump={onJump} /> : null}
    </Group>
  );
}

function JumpForm({ last, onJump }: Pick<TimelineToolbarProps, "last" | "onJump">) {
  const [wanted, setWanted] = useState<number | string>("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const number = Number(wanted);
    if (Number.isInteger(number) && number >= 1) onJump(Math.min(number, last));
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs">
        <NumberInput
          aria-label={`Jump to an iteration, 1 to ${last}`}
          placeholder={`1–${last}`}
          min={1}
          max={last}
          allowDecimal={false}
          hideControls
          w={100}
          value={wanted}
          onChange={setWanted}
        />
        <Button type="submit" variant="default" disabled={wanted === ""}>
          Jump
        </Button>
      </Group>
    </form>
  );
}
