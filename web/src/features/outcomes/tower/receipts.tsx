// Which prompts of which runs carried an item of the context, with the words of the prompt on demand. Fetched when first opened.

import { Anchor, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useId } from "react";
import { counted } from "../../../../../src/protocol/figures.ts";
import { receiptsQuery } from "../../../lib/data/homr.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { LoadMore } from "../../../ui/load-more.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { Time } from "../../../ui/time.tsx";
import { useOutcome } from "../outcome-context.tsx";

/** `prompts`: how many there are, where it is known. */
export function Receipts({ itemId, prompts }: { readonly itemId: string; readonly prompts?: number }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  if (prompts === 0)
    return (
      <Text size="xs" c="dimmed">
        Not in a prompt yet
      </Text>
    );
  const many = prompts === undefined ? "" : ` (${counted(prompts, "prompt")})`;
  return (
    <div>
      <Anchor component="button" type="button" size="xs" onClick={toggle} aria-expanded={isOpen} aria-controls={id}>
        {isOpen ? "Hide who read it" : `Who read it${many}`}
      </Anchor>
      <div id={id}>{isOpen ? <ReceiptList itemId={itemId} /> : null}</div>
    </div>
  );
}

function ReceiptList({ itemId }: { readonly itemId: string }) {
  const outcome = useOutcome();
  const receipts = useInfiniteQuery(receiptsQuery(outcome.id, itemId));
  return (
    <QueryView query={receipts}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0)
          return (
            <Text size="xs" c="dimmed">
              Not in a prompt yet
            </Text>
          );
        return (
          <Stack component="ul" gap={2} className="plain-list">
            {items.map((receipt) => (
              <Text key={`${receipt.run_id} ${receipt.iteration}`} component="li" size="xs">
                <AnchorLink size="xs" to="/homework/runs/$runId/activity" params={{ runId: receipt.run_id }}>
                  {receipt.task_number === null ? "A run" : `Task #${receipt.task_number}`}, iteration{" "}
                  {receipt.iteration}
                </AnchorLink>{" "}
                <Time at={receipt.at} />
              </Text>
            ))}
            <LoadMore query={receipts} />
          </Stack>
        );
      }}
    </QueryView>
  );
}
