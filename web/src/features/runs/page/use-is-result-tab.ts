// Whether the page shows the result of the run, and not one of its other tabs.

import { useLocation } from "@tanstack/react-router";
import { useRun } from "../run-context.tsx";

export function useIsResultTab(): boolean {
  const { run } = useRun();
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, "") });
  return path === `/homework/runs/${run.id}`;
}
