// Opens and closes the advanced settings; closed, it says how many are set, so that none is forgotten.

import { Badge, Button } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { advancedCount } from "./homework-draft.ts";
import type { Composing } from "./use-composer.ts";

type AdvancedButtonProps = { readonly composing: Composing; readonly advancedId: string };

export function AdvancedButton({ composing, advancedId }: AdvancedButtonProps) {
  const { isAdvancedOpen, toggleAdvanced } = composing;
  const set = advancedCount(composing.form.values);
  const Icon = isAdvancedOpen ? IconChevronUp : IconChevronDown;
  return (
    <Button
      variant="subtle"
      px="xs"
      aria-expanded={isAdvancedOpen}
      {...(isAdvancedOpen ? { "aria-controls": advancedId } : {})}
      onClick={toggleAdvanced}
      leftSection={<Icon size={16} aria-hidden />}
      rightSection={
        set > 0 && !isAdvancedOpen ? (
          <Badge size="sm" variant="light" tt="none">
            {set} set
          </Badge>
        ) : null
      }
    >
      Advanced
    </Button>
  );
}
