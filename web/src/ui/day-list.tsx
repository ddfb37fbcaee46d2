// What happened, under the day on which it happened: newest first, as it was given.

import { Stack, Title } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { nameDay } from "../lib/dates.ts";

type DayListProps<Item> = {
  readonly label: string;
  readonly items: readonly Item[];
  readonly timeOf: (item: Item) => string;
  readonly keyOf: (item: Item) => string | number;
  readonly children: (item: Item) => ReactNode;
};

export function DayList<Item>({ label, items, timeOf, keyOf, children }: DayListProps<Item>) {
  const days = Map.groupBy(items, (item) => nameDay(timeOf(item), Date.now()));
  return (
    <>
      {[...days].map(([day, ofDay]) => (
        <Fragment key={day}>
          <Title order={3} size="h5" mt="md" mb="xs">
            {day}
          </Title>
          <Stack component="ol" gap="sm" className="plain-list" aria-label={`${label}, ${day}`}>
            {ofDay.map((item) => (
              <li key={keyOf(item)}>{children(item)}</li>
            ))}
          </Stack>
        </Fragment>
      ))}
    </>
  );
}
