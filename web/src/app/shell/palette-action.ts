// One thing that the palette offers to do, and how its icon is drawn.

import type { ReactNode } from "react";

export type PaletteAction = {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly run: () => void;
};

export const actionIcon = { size: 18, stroke: 1.6, "aria-hidden": true } as const;
