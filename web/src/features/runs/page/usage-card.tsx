// What each model was asked and cost, by what it did. A call without a known price is said to be that, never shown as nothing.

import { Table, Text } from "@mantine/core";
import { cost, dollars, dollarsAtMost, exactDollars } from "../../../../../src/protocol/figures.ts";
import { Card } from "../../../ui/card.tsx";
import { wordsOf } from "../../../ui/wording.ts";
import { type RunUsage, useRun } from "../run-context.tsx";

export function UsageCard() {
  const { usage, view } = useRun();
  return (
    <Card title="Cost by model and role" beside={cost(view.costMicroUsd, view.unpricedCalls)}>
      {usage.length === 0 ? (
        <Text size="sm" c="dimmed">
          No model has been asked yet.
        </Text>
      ) : (
        <UsageTable usage={usage} />
      )}
    </Card>
  );
}

const number = (value: number) => value.toLocaleString("en");

/** A lost call is counted with what was put aside for it: its real cost is unknown. */
function costOf({ priced_by: by, cost_micro_usd: microUsd }: RunUsage[number]): string {
  if (by === "unpriced") return "no price known";
  if (by === "free") return by;
  return by === "reservation" ? `at most ${dollarsAtMost(microUsd)}` : dollars(microUsd);
}

/** How much of what was sent the provider had read before: it costs a fraction. */
function fromCache({ cached_tokens: cached, input_tokens: input }: RunUsage[number]): string {
  return cached === 0 ? "none" : `${number(cached)} (${Math.round((100 * cached) / Math.max(input, cached))} %)`;
}

function UsageTable({ usage }: { readonly usage: RunUsage }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className="scroll-x" tabIndex={0} aria-label="Cost by model and role, as a table">
      <Table miw={680}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Role</Table.Th>
            <Table.Th>Model</Table.Th>
            <Table.Th ta="right">Calls</Table.Th>
            <Table.Th ta="right">Tokens in</Table.Th>
            <Table.Th ta="right">From cache</Table.Th>
            <Table.Th ta="right">Tokens out</Table.Th>
            <Table.Th ta="right">Cost</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {usage.map((use) => (
            <Table.Tr key={`${use.role} ${use.model} ${use.priced_by}`}>
              <Table.Td>{wordsOf(use.role)}</Table.Td>
              <Table.Td className="breakable">{use.model}</Table.Td>
              <Table.Td ta="right">{number(use.calls)}</Table.Td>
              <Table.Td ta="right">{number(use.input_tokens)}</Table.Td>
              <Table.Td ta="right">{fromCache(use)}</Table.Td>
              <Table.Td ta="right">{number(use.output_tokens)}</Table.Td>
              <Table.Td ta="right" title={exactDollars(use.cost_micro_usd)}>
                {costOf(use)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
