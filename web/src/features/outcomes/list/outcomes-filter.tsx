// Which outcomes are shown: those of one status, and those with a word in the name. Both are kept in the address.

import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { outcomeStatusWords } from "../../../../../src/protocol/words/outcome.ts";
import type { OutcomeStatus } from "../../../lib/data/outcomes.ts";
import { TabLinks } from "../../../ui/tab-links.tsx";

type OutcomesFilterProps = { readonly status: OutcomeStatus | undefined; readonly q: string | undefined };

const typingPauseMs = 250;
const searchMax = 400;
const statuses = Object.keys(outcomeStatusWords) as readonly OutcomeStatus[];

export const statusFromAddress = (word: string | undefined): OutcomeStatus | undefined =>
  statuses.find((status) => status === word);

export function OutcomesFilter({ status, q }: OutcomesFilterProps) {
  return (
    <search className="outcomes-filter">
      <TabLinks label="Which outcomes">
        {[undefined, ...statuses].map((each) => (
          <Link
            key={each ?? "all"}
            to="/outcomes"
            search={{ status: each, q }}
            className="tab-link"
            // Of "all", that nothing is chosen is a part.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {each === undefined ? "All" : outcomeStatusWords[each]}
          </Link>
        ))}
      </TabLinks>
      <SearchField status={status} q={q} />
    </search>
  );
}

function SearchField({ status, q = "" }: OutcomesFilterProps) {
  const navigate = useNavigate({ from: "/outcomes" });
  const [text, setText] = useState(q);
  const show = useDebouncedCallback(
    (typed: string) =>
      void navigate({ search: { status, q: typed.trim() || undefined }, replace: true, resetScroll: false }),
    typingPauseMs,
  );
  // Links lead here without a word; then the field is empty too.
  useEffect(() => {
    if (q === "") setText("");
  }, [q]);
  return (
    <TextInput
      type="search"
      aria-label="Search in names"
      placeholder="Search in names"
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
