// Privileged actions on this installation, newest first, for its admins.

import { Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { DayList } from "../../ui/day-list.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { AuditRow } from "./audit-row.tsx";
import { groupEntries } from "./audit-words.ts";
import { auditQuery } from "./settings-queries.ts";
import { useAuditNames } from "./use-audit-names.ts";

export function AuditPage() {
  const audit = useInfiniteQuery(auditQuery);
  const names = useAuditNames();
  usePageTitle("Audit", "Settings");
  return (
    <>
      <PageHeader title="Audit" />
      <Text c="dimmed" size="sm" maw={640}>
        Who did what on this installation. Entries cannot be changed. What other people’s runs are about stays private.
      </Text>
      <QueryView query={audit}>
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          if (items.length === 0) return <Text c="dimmed">No administrative actions yet.</Text>;
          return (
            <>
              <DayList
                label="Actions"
                items={groupEntries(items)}
                timeOf={({ first }) => first.at}
                keyOf={({ first }) => first.seq}
              >
                {(group) => <AuditRow group={group} names={names} />}
              </DayList>
              <LoadMore query={audit} />
            </>
          );
        }}
      </QueryView>
    </>
  );
}
