// A small coloured word, as cheap as a word can be: for lists of which hundreds come and go while one scrolls.

import type { ReactNode } from "react";
import "./chip.css";

export function Chip({ color, children }: { readonly color: string; readonly children: ReactNode }) {
  const style = {
    background: `var(--mantine-color-${color}-light)`,
    color: `var(--mantine-color-${color}-light-color)`,
  };
  return (
    <span className="chip" style={style}>
      {children}
    </span>
  );
}
