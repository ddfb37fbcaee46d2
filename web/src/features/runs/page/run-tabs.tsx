// The pages of a run, as tabs with addresses of their own.

import { Link } from "@tanstack/react-router";
import { TabLinks } from "../../../ui/tab-links.tsx";
import { useRun } from "../run-context.tsx";

const tabs = [
  { to: "/homework/runs/$runId/activity", label: "Activity" },
  { to: "/homework/runs/$runId/sources", label: "Sources" },
  { to: "/homework/runs/$runId/details", label: "Details" },
] as const;

export function RunTabs() {
  const { run } = useRun();
  const common = { className: "tab-link", params: { runId: run.id }, activeOptions: { includeSearch: false } } as const;
  return (
    <TabLinks label="Run">
      <Link {...common} to="/homework/runs/$runId" activeOptions={{ exact: true, includeSearch: false }}>
        Result
      </Link>
      {tabs.map(({ to, label }) => (
        <Link key={to} {...common} to={to}>
          {label}
        </Link>
      ))}
    </TabLinks>
  );
}
