// Full-text search in what a run has written. While nothing is asked for, it shows what it was given instead.

import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { limits } from "../../../../../src/protocol/kinds.ts";
import { ResearchHits } from "./research-hits.tsx";

const typingPauseMs = 250;

type ResearchSearchProps = {
  readonly runId: string;
  readonly text: string;
  readonly chosenId: string | undefined;
  readonly onSearch: (text: string) => void;
  readonly onChoose: (id: string) => void;
  readonly children: ReactNode;
};

export function ResearchSearch({ runId, text, chosenId, onSearch, onChoose, children }: ResearchSearchProps) {
  const [typed, setTyped] = useState(text);
  const searchSoon = useDebouncedCallback(onSearch, typingPauseMs);
  // Going back in the browser empties the question too.
  useEffect(() => {
    if (text === "") setTyped("");
  }, [text]);
  return (
    <>
      <TextInput
        component="input"
        type="search"
        aria-label="Search in what this run has written"
        placeholder="Search the notes"
        leftSection={<IconSearch size={16} aria-hidden />}
        mb="xs"
        value={typed}
        maxLength={limits.searchQuery}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          searchSoon(event.currentTarget.value);
        }}
      />
      {text.trim() === "" ? (
        children
      ) : (
        <ResearchHits runId={runId} text={text} chosenId={chosenId} onChoose={onChoose} />
      )}
    </>
  );
}
