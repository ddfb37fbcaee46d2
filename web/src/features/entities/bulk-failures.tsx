// What could not be changed, by reason and title.

import { Alert, List } from "@mantine/core";
import { tone } from "../../lib/tones.ts";
import { describeFailures } from "./bulk-change.ts";
import type { BulkResult } from "./use-bulk-change.ts";

/** The rest is counted. */
const titlesMax = 5;

type BulkFailuresProps = { readonly result: BulkResult; readonly onClose: () => void };

export function BulkFailures({ result, onClose }: BulkFailuresProps) {
  return describeFailures(result.failures, result.total).map(({ words, titles }) => (
    <Alert
      key={words}
      color={tone.failure}
      role="alert"
      title={words}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <List size="sm">
        {titles.slice(0, titlesMax).map((title, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: titles may be the same, and the list does not change
          <List.Item key={index} className="breakable">
            {title}
          </List.Item>
        ))}
        {titles.length > titlesMax ? <List.Item>and {titles.length - titlesMax} more</List.Item> : null}
      </List>
    </Alert>
  ));
}
