// Privileged actions on this installation, newest first, for its admins.

import { Table, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { routes } from "../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { meQuery } from "../../lib/data/me.ts";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { wordsOf } from "../../ui/wording.ts";
import { auditQuery, peopleQuery } from "./settings-queries.ts";

type AuditEntry = RouteResult<typeof routes.identity.listAudit>["items"][number];

export function AuditPage() {
  const audit = useInfiniteQuery(auditQuery);
  const names = usePeopleNames();
  usePageTitle("Audit", "Settings");
  return (
    <>
      <PageHeader title="Audit" />
      <QueryView query={audit}>
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          if (items.length === 0) return <Text c="dimmed">No administrative actions yet.</Text>;
          return (
            <>
              <AuditTable entries={items} names={names} />
              <LoadMore query={audit} />
            </>
          );
        }}
      </QueryView>
    </>
  );
}

function usePeopleNames(): ReadonlyMap<string, string> {
  const people = useInfiniteQuery(peopleQuery).data;
  const me = useQuery(meQuery).data?.user;
  return useMemo(() => {
    const listed = people?.pages.flatMap((page) => page.items) ?? [];
    return new Map([...listed, ...(me ? [me] : [])].map((person) => [person.id, person.name]));
  }, [people, me]);
}

/** `user:<id>` reads better as the person's name. */
function nameOfTarget(target: string, names: ReadonlyMap<string, string>): string {
  return names.get(target.replace(/^user:/, "")) ?? target;
}

/** `name: Laptop, scopes: read and run` reads better than JSON. */
function detailWords(details: AuditEntry["details"]): string {
  const words = Object.entries(details).map(([name, value]) => `${wordsOf(name)}: ${valueWords(value)}`);
  return words.join(", ");
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join(" and ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

type AuditTableProps = { readonly entries: readonly AuditEntry[]; readonly names: ReadonlyMap<string, string> };

function AuditTable({ entries, names }: AuditTableProps) {
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>Action</Table.Th>
            <Table.Th>On what</Table.Th>
            <Table.Th>Details</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.seq}>
              <Table.Td className="unbroken">
                <Time at={entry.at} />
              </Table.Td>
              <Table.Td>{entry.actor_id ? (names.get(entry.actor_id) ?? "Someone") : "The system"}</Table.Td>
              <Table.Td>{wordsOf(entry.action)}</Table.Td>
              <Table.Td className="breakable">{nameOfTarget(entry.target, names)}</Table.Td>
              <Table.Td className="breakable">{detailWords(entry.details)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
