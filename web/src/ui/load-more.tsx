// The button below a list that has more pages.

import { Button, Center } from "@mantine/core";

type PagedQuery = {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
};

export function LoadMore({ query }: { readonly query: PagedQuery }) {
  if (!query.hasNextPage) return null;
  return (
    <Center mt="md">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        Load more
      </Button>
    </Center>
  );
}
