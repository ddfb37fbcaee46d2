// Finds a thing by typing a part of it.

import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { searchQuery } from "../../lib/data/search.ts";
import { wordsOf } from "../../ui/wording.ts";

const typingPauseMs = 200;
const hitsShown = 20;

type Option = { readonly value: string; readonly label: string };

type EntityPickerProps = {
  readonly exceptId: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
};

export function EntityPicker({ exceptId, value, onChange }: EntityPickerProps) {
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text.trim(), typingPauseMs);
  const hits = useQuery(searchQuery({ text: settled, limit: hitsShown }));
  const chosen = useRef<Option | null>(null);
  const found: readonly Option[] = (settled === "" ? [] : (hits.data?.items ?? []))
    .filter((hit) => hit.kind !== "project" && hit.id !== exceptId)
    .map((hit) => ({ value: hit.id, label: `${hit.title} (${wordsOf(hit.kind)} in ${hit.project_name})` }));
  // The chosen one stays an option although its label, now the search text, may not find it again.
  const kept =
    chosen.current && !found.some((option) => option.value === chosen.current?.value) ? [chosen.current] : [];
  return (
    <Select
      label="With what?"
      placeholder="Type part of its title or text"
      searchable
      clearable
      data-autofocus
      data={[...kept, ...found]}
      filter={({ options }) => options}
      value={value}
      onChange={(id, option) => {
        chosen.current = option ?? null;
        onChange(id);
      }}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={settled === "" ? "Type to search" : hits.isFetching ? "Searching…" : "Nothing found"}
    />
  );
}
