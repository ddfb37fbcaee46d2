// Ctrl+K: jump anywhere, find anything, do the common things, all from the keyboard.

import { Group, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { OutcomeHit, SearchHit } from "../../../../src/protocol/api.ts";
import { kindSpecs } from "../../../../src/protocol/kinds.ts";
import { searchQuery } from "../../lib/data/search.ts";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { OutcomeHitIcon, searchOfHit } from "../../ui/outcome-hit.tsx";
import { Snippet } from "../../ui/snippet.tsx";
import { type PaletteAction, usePaletteActions } from "./palette-actions.tsx";

const hitsShown = 8;
const typingPauseMs = 200;

export function Palette() {
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text.trim(), typingPauseMs);
  const hits = useQuery(searchQuery({ text: settled, limit: hitsShown }));
  const found = settled === "" || text.trim() === "" ? [] : (hits.data?.items ?? []);
  const outcomes = settled === "" || text.trim() === "" ? [] : (hits.data?.outcomes ?? []);
  const count = found.length + outcomes.length;
  const actions = usePaletteActions().filter((action) => matches(action, text));
  const searching = text.trim() !== "" && (settled !== text.trim() || hits.isFetching);
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
          <Spotlight.ActionsGroup label="Go and do">
            {actions.map(({ id, label, icon, run }) => (
              <Spotlight.Action key={id} label={label} leftSection={icon} onClick={run} />
            ))}
          </Spotlight.ActionsGroup>
        ) : null}
        {count > 0 ? (
          <Spotlight.ActionsGroup label="Found">
            {outcomes.map((hit) => (
              <OutcomeAction key={hit.id} hit={hit} />
            ))}
            {found.map((hit) => (
              <HitAction key={hit.id} hit={hit} />
            ))}
          </Spotlight.ActionsGroup>
        ) : null}
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
  useEffect(() => {
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

function OutcomeAction({ hit }: { readonly hit: OutcomeHit }) {
  const navigate = useNavigate();
  const open = () =>
    void navigate({ to: "/outcomes/$outcomeId", params: { outcomeId: hit.outcome_id }, search: searchOfHit(hit) });
  return (
    <Spotlight.Action onClick={open}>
      <Group gap="sm" wrap="nowrap" align="flex-start" w="100%">
        <OutcomeHitIcon kind={hit.kind} />
        <span className="grow">
          <Text size="sm" fw={600} className="breakable" component="span" display="block">
            {hit.title}
            <Text span size="xs" fw={400} className="faint">
              {hit.kind === "outcome" ? " outcome" : ` in ${hit.outcome_name}`}
            </Text>
          </Text>
          <Snippet pieces={hit.snippet} />
        </span>
      </Group>
    </Spotlight.Action>
  );
}

function HitAction({ hit }: { readonly hit: SearchHit }) {
  const navigate = useNavigate();
  const open = () => {
    if (hit.kind === "project") return void navigate({ to: "/projects/$projectId", params: { projectId: hit.id } });
    const params = { projectId: hit.project_id, plural: kindSpecs[hit.kind].plural, entityId: hit.id };
    void navigate({ to: "/projects/$projectId/$plural/$entityId", params });
  };
  return (
    <Spotlight.Action onClick={open}>
      <Group gap="sm" wrap="nowrap" align="flex-start" w="100%">
        <KindIcon kind={hit.kind} />
        <span className="grow">
          <Text size="sm" fw={600} className="breakable" component="span" display="block">
            {hit.title}
            {hit.kind === "project" ? null : (
              <Text span size="xs" fw={400} className="faint">
                {" "}
                in {hit.project_name}
              </Text>
            )}
          </Text>
          <Snippet pieces={hit.snippet} />
        </span>
      </Group>
    </Spotlight.Action>
  );
}
