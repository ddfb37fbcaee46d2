// Which runs are shown: a group and a word of the objective, both kept in the address.

import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { RunGroup } from "../../../lib/data/runs.ts";
import { TabLinks } from "../../../ui/tab-links.tsx";
import { archivedWord, type GroupCounts, groupWords, runGroups } from "./run-groups.ts";

type RunsFilterProps = {
  readonly group: RunGroup | undefined;
  readonly q: string | undefined;
  readonly counts: GroupCounts | undefined;
};

const typingPauseMs = 250;
const searchMax = 400;

export function RunsFilter({ group, q, counts }: RunsFilterProps) {
  return (
    <search className="runs-filter">
      <TabLinks label="Which homework">
        {[undefined, ...runGroups].map((each) => (
          <GroupLink
            key={each ?? "all"}
            group={each}
            q={q}
            // They are of all runs, not of those with this word.
            count={q === undefined ? counts?.[each ?? "all"] : undefined}
          />
        ))}
        <Link
          to="/homework"
          search={{ group: archivedWord }}
          className="tab-link"
          activeOptions={{ exact: true }}
          activeProps={{}}
          resetScroll={false}
        >
          Archived
        </Link>
      </TabLinks>
      <SearchField group={group} q={q} />
    </search>
  );
}

type GroupLinkProps = {
  readonly group: RunGroup | undefined;
  readonly q: string | undefined;
  readonly count: number | undefined;
};

function GroupLink({ group, q, count }: GroupLinkProps) {
  const isUrgent = group === "needs_you" && (count ?? 0) > 0;
  return (
    <Link
      to="/homework"
      search={{ group, q }}
      className="tab-link"
      // Of "all", that nothing is chosen is a part.
      activeOptions={{ exact: true }}
      activeProps={{}}
      resetScroll={false}
    >
      {group === undefined ? "All" : groupWords[group]}
      {count === undefined ? null : (
        <>
          {" "}
          <span className={isUrgent ? "run-count needs-you" : "run-count"}>{count.toLocaleString("en")}</span>
        </>
      )}
    </Link>
  );
}

function SearchField({ group, q = "" }: Pick<RunsFilterProps, "group" | "q">) {
  const navigate = useNavigate({ from: "/homework" });
  const [text, setText] = useState(q);
  const show = useDebouncedCallback(
    (typed: string) =>
      void navigate({ search: { group, q: typed.trim() || undefined }, replace: true, resetScroll: false }),
    typingPauseMs,
  );
  // Links lead here without a word; then the field is empty too.
  useEffect(() => {
    if (q === "") setText("");
  }, [q]);
  return (
    <TextInput
      type="search"
      aria-label="Search in titles and objectives"
      placeholder="Search in titles and objectives"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      maxLength={searchMax}
      onChange={(event) => {
        setText(event.currentTarget.value);
        show(event.currentTarget.value);
      }}
    />
  );
}
