// Switches a list between what is there and what is in the bin.

import { Button } from "@mantine/core";
import { IconArrowLeft, IconTrash } from "@tabler/icons-react";

type BinToggleProps = {
  readonly bin: boolean;
  /** What the list shows outside of the bin: `tasks`. */
  readonly what: string;
  readonly onToggle: () => void;
};

export function BinToggle({ bin, what, onToggle }: BinToggleProps) {
  const Icon = bin ? IconArrowLeft : IconTrash;
  return (
    <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={onToggle}>
      {bin ? `Back to ${what}` : "Bin"}
    </Button>
  );
}
