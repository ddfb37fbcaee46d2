// Server state on the screen: a skeleton while it loads, a notice with a way out when it fails, else the thing itself.

import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { codeOf, messageOf } from "../lib/failure.ts";
import { tone } from "../lib/tones.ts";
import { NotFoundNotice } from "./not-found-notice.tsx";
import { RowsSkeleton } from "./skeletons.tsx";

type AnyQuery<Data> = Pick<UseQueryResult<Data>, "data" | "error" | "isFetching"> & {
  readonly refetch: () => unknown;
};

type QueryViewProps<Data> = {
  readonly query: AnyQuery<Data>;
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

export function QueryView<Data>({ query, skeleton, children }: QueryViewProps<Data>) {
  // A thing that stopped existing (or being visible) must not stay on the screen from the cache.
  if (query.error && isGone(query.error)) return <NotFoundNotice />;
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <FailureNotice query={query} error={query.error} />;
  return skeleton ?? <RowsSkeleton />;
}

/** A malformed id in the address is refused as invalid, and means the same to the reader. */
function isGone(error: Error): boolean {
  const code = codeOf(error);
  return code === "not_found" || code === "invalid_request";
}

function FailureNotice<Data>({ query, error }: { readonly query: AnyQuery<Data>; readonly error: Error }) {
  return (
    <Alert color={tone.failure} title="This could not be loaded" icon={<IconAlertTriangle aria-hidden />}>
      <Group justify="space-between">
        <Text size="sm">{codeOf(error) === "unreachable" ? "The server does not answer." : messageOf(error)}</Text>
        <Button size="xs" variant="default" loading={query.isFetching} onClick={() => query.refetch()}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}
