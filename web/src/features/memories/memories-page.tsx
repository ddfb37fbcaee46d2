// What HOMЯ learnt across outcomes, for its owner to read, correct and delete.

import { Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconBulb, IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Memory } from "../../../../src/protocol/api.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { AnchorLink, ButtonLink } from "../../ui/links.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { memoriesQuery } from "./memory-queries.ts";
import { MemoryRow } from "./memory-row.tsx";
import { memoryTypeWords } from "./memory-words.ts";

/** Long enough for a word to be typed. */
const settleMs = 250;
const qMax = 400;
const types = Object.entries(memoryTypeWords).map(([value, label]) => ({ value, label }));

export function MemoriesPage() {
  const [typed, setTyped] = useState("");
  const [type, setType] = useState<Memory["type"] | null>(null);
  const [q] = useDebouncedValue(typed.trim(), settleMs);
  const memories = useInfiniteQuery(memoriesQuery({ type: type ?? undefined, q: q === "" ? undefined : q }));
  const isFiltered = q !== "" || type !== null;
  const isEmpty = !isFiltered && memories.data?.pages[0]?.items.length === 0;
  usePageTitle("Memory", "Outcomes");
  return (
    <>
      <PageHeader
        title="Memory"
        crumbs={[
          <AnchorLink key="outcomes" to="/outcomes">
            Outcomes
          </AnchorLink>,
          <Text key="here" span aria-current="page">
            Memory
          </Text>,
        ]}
      />
      <Text mb="md" maw={640}>
        What was learned while working on your outcomes. HOMЯ, which supervises them, tells later tasks what applies to
        them.{isEmpty ? "" : " Correct or delete what is wrong."}
      </Text>
      {isEmpty ? null : (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mb="md" maw={640}>
          <TextInput
            label="Search"
            placeholder="Words it contains"
            leftSection={<IconSearch size={16} aria-hidden />}
            maxLength={qMax}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Select
            label="Type"
            placeholder="All types"
            data={types}
            clearable
            clearButtonProps={{ "aria-label": "All types" }}
            value={type}
            onChange={(chosen) => setType(chosen as Memory["type"] | null)}
          />
        </SimpleGrid>
      )}
      <QueryView query={memories}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return isFiltered ? <NothingFound /> : <NoMemories />;
          return (
            <>
              <Stack component="ul" gap="xs" className="plain-list" aria-label="Memories">
                {items.map((memory) => (
                  <MemoryRow key={memory.id} memory={memory} />
                ))}
              </Stack>
              <LoadMore query={memories} />
            </>
          );
        }}
      </QueryView>
    </>
  );
}

function NothingFound() {
  return (
    <EmptyNotice icon={<IconSearch aria-hidden />} title="Nothing found">
      Try fewer or other words, or all types.
    </EmptyNotice>
  );
}

function NoMemories() {
  return (
    <EmptyNotice
      icon={<IconBulb aria-hidden />}
      title="Nothing learned yet"
      actions={<ButtonLink to="/outcomes">Go to your outcomes</ButtonLink>}
    >
      When a task of an outcome goes well, what it found out is kept here and used in later tasks.
    </EmptyNotice>
  );
}
