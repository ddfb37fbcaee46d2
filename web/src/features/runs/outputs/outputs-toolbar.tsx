// Which of a run's outputs one sees.

import { Group, Select, Switch } from "@mantine/core";
import type { RunOutput } from "../../../../../src/protocol/api.ts";
import { kindsIn, kindWords, type OutputFilter } from "./output-groups.ts";

type OutputsToolbarProps = {
  readonly outputs: readonly RunOutput[];
  readonly filter: OutputFilter;
  readonly onFilter: (filter: OutputFilter) => void;
};

export function OutputsToolbar({ outputs, filter, onFilter }: OutputsToolbarProps) {
  const kinds = kindsIn(outputs);
  return (
    <Group mb="md" gap="md" align="flex-end">
      <Select
        label="Kind"
        placeholder="Everything"
        clearable
        w={170}
        data={kinds.map((value) => ({ value, label: kindWords[value] }))}
        value={filter.kind}
        onChange={(value) => onFilter({ ...filter, kind: kinds.find((kind) => kind === value) ?? null })}
      />
      <Switch
        mb={8}
        label="Show working notes"
        checked={filter.withOwn}
        onChange={(event) => onFilter({ ...filter, withOwn: event.currentTarget.checked })}
      />
    </Group>
  );
}
