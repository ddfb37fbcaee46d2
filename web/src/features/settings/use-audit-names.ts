// Names for the ids of the audit log: people, and what the reader may see anyway.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { meQuery } from "../../lib/data/me.ts";
import { outcomesQuery } from "../../lib/data/outcomes.ts";
import { projectsQuery } from "../../lib/data/projects.ts";
import { runsQuery } from "../../lib/data/runs.ts";
import { peopleQuery } from "./settings-queries.ts";

export type AuditNames = {
  readonly me: string | undefined;
  readonly people: ReadonlyMap<string, string>;
  /** One's own runs, outcomes and projects; those of others stay private. */
  readonly things: ReadonlyMap<string, string>;
};

export function useAuditNames(): AuditNames {
  const me = useQuery(meQuery).data?.user;
  const people = useInfiniteQuery(peopleQuery).data;
  const runs = useInfiniteQuery(runsQuery({})).data;
  const outcomes = useInfiniteQuery(outcomesQuery({})).data;
  const projects = useInfiniteQuery(projectsQuery(false)).data;
  const binned = useInfiniteQuery(projectsQuery(true)).data;
  return useMemo(() => {
    const listed = people?.pages.flatMap((page) => page.items) ?? [];
    const things = [
      ...(runs?.pages.flatMap((page) => page.items) ?? []).map(({ id, title }) => [id, title] as const),
      ...(outcomes?.pages.flatMap((page) => page.items) ?? []).map(({ id, name }) => [id, name] as const),
      ...(binned?.pages.flatMap((page) => page.items) ?? []).map(({ id, name }) => [id, name] as const),
      ...(projects?.pages.flatMap((page) => page.items) ?? []).map(({ id, name }) => [id, name] as const),
    ];
    return {
      me: me?.id,
      people: new Map([...listed, ...(me ? [me] : [])].map((person) => [person.id, person.name])),
      things: new Map(things),
    };
  }, [people, me, runs, outcomes, projects, binned]);
}
