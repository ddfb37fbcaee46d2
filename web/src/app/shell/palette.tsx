// Ctrl+K: jump anywhere, find anything, do the common things, all from the keyboard.

import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useLayoutEffect, useRef, useState } from "react";
import { countFound, useSearchAll } from "../../lib/use-search-all.ts";
import type { PaletteAction } from "./palette-action.ts";
import { usePaletteActions } from "./palette-actions.tsx";
import { PaletteHits } from "./palette-hits.tsx";

/** Of each group. */
const hitsShown = 5;
const typingPauseMs = 200;

export function Palette() {
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text.trim(), typingPauseMs);
  const search = useSearchAll({ text: settled, limit: hitsShown });
  // Enter opens the first line, so only what was found for this text is offered.
  const isCurrent = settled !== "" && settled === text.trim() && !search.isEarlier;
  const found = isCurrent ? (search.data ?? null) : null;
  const count = found === null ? 0 : countFound(found);
  const actions = usePaletteActions().filter((action) => matches(action, text));
  const searching = text.trim() !== "" && (settled !== text.trim() || search.isFetching);
  const list = useFirstChosen(text);
  return (
    <Spotlight.Root
      query={text}
      onQueryChange={setText}
      shortcut="mod + K"
      tagsToIgnore={[]}
      triggerOnContentEditable
      scrollable
      maxHeight={460}
      attributes={{ content: { "aria-label": "Search or jump to" } }}
    >
      <Spotlight.Search
        placeholder="Search or jump to…"
        aria-label="Search or jump to"
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList ref={list}>
        {actions.length > 0 ? (
          <Spotlight.ActionsGroup label="Commands">
            {actions.map(({ id, label, icon, run }) => (
              <Spotlight.Action key={id} label={label} leftSection={icon} onClick={run} />
            ))}
          </Spotlight.ActionsGroup>
        ) : null}
        {found === null ? null : <PaletteHits found={found} />}
        {count > 0 ? <AllResults text={settled} /> : null}
        {actions.length + count === 0 ? (
          <Spotlight.Empty>{searching ? "Searching…" : "Nothing found"}</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Results come later than the typing after which Mantine chooses the first line, so that Enter would do nothing. */
function useFirstChosen(text: string) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (text.trim() === "" || list.current?.querySelector("[data-selected]")) return;
    list.current?.querySelector("[data-action]")?.setAttribute("data-selected", "true");
  });
  return list;
}

function matches(action: PaletteAction, text: string): boolean {
  return action.label.toLowerCase().includes(text.trim().toLowerCase());
}

function AllResults({ text }: { readonly text: string }) {
  const navigate = useNavigate();
  return (
    <Spotlight.Action
      label={`All results for “${text}”`}
      leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
      onClick={() => void navigate({ to: "/search", search: { q: text } })}
    />
  );
}
