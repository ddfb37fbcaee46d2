// The state of a project or a thing in it, as a small coloured word.

import { Badge } from "@mantine/core";
import { IconBan } from "@tabler/icons-react";
import { colorOfState, wordsOf } from "./wording.ts";

export function StateBadge({ state }: { readonly state: string }) {
  return (
    <Badge
      variant="light"
      color={colorOfState(state)}
      tt="none"
      fw={600}
      className="unshrinkable"
      leftSection={state === "blocked" ? <IconBan size={12} aria-hidden /> : null}
    >
      {wordsOf(state)}
    </Badge>
  );
}
