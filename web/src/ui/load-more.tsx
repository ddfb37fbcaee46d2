// The button below a list that has more pages. Once it has loaded the last page, a text in its place says so.

import { Button, Center, Text } from "@mantine/core";
import { useState } from "react";

type PagedQuery = {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
};

export function LoadMore({ query }: { readonly query: PagedQuery }) {
  const [wasPressed, setPressed] = useState(false);
  if (!query.hasNextPage && !wasPressed) return null;
  const load = () => {
    setPressed(true);
    query.fetchNextPage();
  };
  return (
    <Center mt="md" role="group" aria-label="The end of the list">
      {query.hasNextPage ? (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={load}>
          Load more
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          That is all.
        </Text>
      )}
    </Center>
  );
}
