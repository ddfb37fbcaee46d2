// Search over everything one may see: runs, outcomes, agents, and what is in projects.

import { Group, Paper, Select, Switch, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { entityKinds, limits } from "../../../../src/protocol/kinds.ts";
import type { AnyKind } from "../../lib/use-search-all.ts";
import { outcomeHitWords } from "../../ui/outcome-hit.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { wordsOf } from "../../ui/wording.ts";
import { SearchResults } from "./search-results.tsx";

const typingPauseMs = 250;
const kinds: readonly AnyKind[] = ["run", "outcome", "escalation", "observation", "agent", "project", ...entityKinds];
const kindWords = (kind: AnyKind) =>
  kind in outcomeHitWords ? outcomeHitWords[kind as keyof typeof outcomeHitWords] : wordsOf(kind);

export function SearchPage() {
  const { q = "", kind, notes } = useSearch({ from: "/in/search" });
  const navigate = useNavigate({ from: "/search" });
  const [text, setText] = useState(q);
  const chosenKind = kinds.find((known) => known === kind);
  const show = (next: { q?: string; kind?: string | undefined; notes?: true | undefined }) =>
    void navigate({ search: { kind, notes, ...next, q: (next.q ?? text) || undefined }, replace: true });
  const showSoon = useDebouncedCallback((typed: string) => show({ q: typed }), typingPauseMs);
  // The navigation's link leads here without a question; then the field is empty too.
  useEffect(() => {
    if (q === "") setText("");
  }, [q]);
  usePageTitle(q === "" ? "Search" : `“${q}”`, q === "" ? undefined : "Search");
  return (
    <>
      <PageHeader title="Search" />
      <Paper component="search" mb="md">
        <Group align="flex-end" gap="sm">
          <TextInput
            label="What are you looking for?"
            type="search"
            autoFocus
            className="grow"
            miw={220}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={text}
            maxLength={limits.searchQuery}
            onChange={(event) => {
              setText(event.currentTarget.value);
              showSoon(event.currentTarget.value);
            }}
          />
          <Select
            label="Kind"
            placeholder="Everything"
            clearable
            w={150}
            data={kinds.map((value) => ({ value, label: kindWords(value) }))}
            value={chosenKind ?? null}
            onChange={(value) => show({ kind: value ?? undefined })}
          />
          <Switch
            label="Show working notes"
            description="Pages that runs keep for themselves"
            checked={notes ?? false}
            onChange={(event) => show({ notes: event.currentTarget.checked || undefined })}
          />
        </Group>
      </Paper>
      {q.trim() === "" ? (
        <Text c="dimmed">Search runs, outcomes, agents, and everything in your projects.</Text>
      ) : (
        <SearchResults text={q} kind={chosenKind} notes={notes ?? false} />
      )}
    </>
  );
}
