// Privileged actions on this installation, newest first, for its admins: all of them, or those of one person or one part.

import { Group, Select, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { auditParts } from "../../../../src/protocol/kinds.ts";
import { DayList } from "../../ui/day-list.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { AuditRow } from "./audit-row.tsx";
import { groupEntries, partWords } from "./audit-words.ts";
import { type AuditFilter, auditQuery } from "./settings-queries.ts";
import { type AuditNames, useAuditNames } from "./use-audit-names.ts";

export function AuditPage() {
  const [filter, setFilter] = useState<AuditFilter>({});
  const audit = useInfiniteQuery(auditQuery(filter));
  const names = useAuditNames();
  usePageTitle("Audit", "Settings");
  return (
    <>
      <PageHeader title="Audit" />
      <Text c="dimmed" size="sm" maw={640}>
        Who did what on this installation. Entries cannot be changed. What other people’s runs are about stays private.
      </Text>
      <Filters filter={filter} onFilter={setFilter} names={names} />
      <QueryView query={audit}>
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          if (items.length === 0) return <Text c="dimmed">{nothingWords(filter)}</Text>;
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

const nothingWords = ({ actor_id: by, part }: AuditFilter): string =>
  by === undefined && part === undefined ? "No administrative actions yet." : "Nothing of that. Choose another filter.";

type FiltersProps = {
  readonly filter: AuditFilter;
  readonly onFilter: (filter: AuditFilter) => void;
  readonly names: AuditNames;
};

const parts = auditParts.map((value) => ({ value, label: partWords[value] }));

function Filters({ filter, onFilter, names }: FiltersProps) {
  const people = [...names.people].map(([value, label]) => ({ value, label }));
  return (
    <Group gap="sm" my="md" component="search">
      <Select
        label="Person"
        placeholder="Everyone"
        data={people}
        value={filter.actor_id ?? null}
        onChange={(chosen) => onFilter({ ...filter, actor_id: chosen ?? undefined })}
        clearable
        searchable
        clearButtonProps={{ "aria-label": "Show everyone" }}
        className="audit-filter"
      />
      <Select
        label="About"
        placeholder="Everything"
        data={parts}
        value={filter.part ?? null}
        onChange={(chosen) => onFilter({ ...filter, part: auditParts.find((part) => part === chosen) })}
        clearable
        clearButtonProps={{ "aria-label": "Show everything" }}
        className="audit-filter"
      />
    </Group>
  );
}
