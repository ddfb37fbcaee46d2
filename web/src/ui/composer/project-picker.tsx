// One project or several of one's own, found by typing a part of the name.

import { MultiSelect, Select } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { projectsQuery } from "../../lib/data/projects.ts";

type ProjectPickerProps = {
  readonly isMany: boolean;
  readonly value: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly error: ReactNode;
};

/** A thousand projects; users with more can name theirs on the command line. */
const pagesMax = 20;
/** Shown at once; typing finds the others. */
const shownMax = 50;

export function ProjectPicker({ isMany, value, onChange, error }: ProjectPickerProps) {
  const { projects, isLoading } = useAllProjects();
  const known = new Set(projects.map(({ id }) => id));
  // Chosen before, and not there (yet): still shown, so that it can be taken away.
  const lost = value
    .filter((id) => !known.has(id))
    .map((id) => ({ value: id, label: isLoading ? "…" : "Deleted project" }));
  const data = [...projects.map(({ id, name }) => ({ value: id, label: name })), ...lost];
  const common = {
    data,
    searchable: true,
    limit: shownMax,
    error,
    nothingFoundMessage: isLoading ? "Loading…" : projects.length === 0 ? "You have no projects yet" : "Nothing found",
  };
  if (isMany)
    return (
      <MultiSelect
        aria-label="Projects"
        placeholder="Choose projects"
        hidePickedOptions
        value={[...value]}
        onChange={onChange}
        {...common}
      />
    );
  return (
    <Select
      aria-label="Project"
      placeholder="Choose a project"
      value={value[0] ?? null}
      onChange={(id) => onChange(id === null ? [] : [id])}
      {...common}
    />
  );
}

function useAllProjects() {
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(projectsQuery(false));
  const pages = data?.pages ?? [];
  const hasMore = hasNextPage && pages.length < pagesMax;
  useEffect(() => {
    if (hasMore && !isFetching) void fetchNextPage();
  }, [hasMore, isFetching, fetchNextPage]);
  return { projects: pages.flatMap((page) => page.items), isLoading: isFetching || hasMore };
}
