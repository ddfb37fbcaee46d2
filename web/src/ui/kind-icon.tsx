// One picture per kind of thing.

import {
  IconChecklist,
  IconFileText,
  IconFlag,
  IconFolder,
  type IconProps,
  IconRoute,
  IconTrophy,
} from "@tabler/icons-react";
import type { SearchHit } from "../../../src/protocol/api.ts";

const icons = {
  project: IconFolder,
  task: IconChecklist,
  goal: IconTrophy,
  plan: IconRoute,
  milestone: IconFlag,
  document: IconFileText,
} as const satisfies Record<SearchHit["kind"], unknown>;

export function KindIcon({ kind, ...props }: { readonly kind: SearchHit["kind"] } & IconProps) {
  const Icon = icons[kind];
  return <Icon size={18} stroke={1.6} aria-hidden className="unshrinkable" {...props} />;
}
