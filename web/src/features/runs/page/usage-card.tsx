// What each model was asked and cost, by what it did. A call without a known price is said to be that, never shown as nothing.

import { Table, Text } from "@mantine/core";
import { dollars, dollarsAtMost, exactDollars } from "../../../../../src/protocol/figures.ts";
import { nameModel } from "../../../../../src/protocol/words/model.ts";
import { Card } from "../../../ui/card.tsx";
import { wordsOf } from "../../../ui/wording.ts";
import { type RunUsage, useRun } from "../run-context.tsx";
import { costSoFar } from "./fact-words.ts";

export function UsageCard() {
  const { usage, view } = useRun();
  return (
    <Card title="Cost by model and role" beside={costSoFar(view, usage)}>
      {usage.length === 0 ? (
        <Text size="sm" c="dimmed">
          No model has been asked yet.
        </Text>
      ) : (
        <>
          <UsageRows usage={usage} />
          <details className="fold">
            <Text component="summary" size="sm" c="dimmed">
              Calls and tokens
            </Text>
            <UsageTable usage={usage} />
          </details>
        </>
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

function UsageRows({ usage }: { readonly usage: RunUsage }) {
  return (
    <ul className="plain-list">
      {usage.map((use) => (
        <li key={`${use.role} ${use.model} ${use.priced_by}`} className="run-row usage-row">
          <Text size="sm">
            {roleWords[use.role] ?? wordsOf(use.role)}
            <Text span size="xs" c="dimmed" className="usage-model" title={use.model}>
              {nameModel(use.model)}
            </Text>
          </Text>
          <Text size="sm" fw={600} className="unbroken" title={exactDollars(use.cost_micro_usd)}>
            {costOf(use)}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** What a role does, for people who did not name it. */
const roleWords: Readonly<Record<string, string>> = {
  planner: "Planning",
  executor: "Research and writing",
  judge: "Judging the result",
  summary: "Writing the summary",
  repair: "Correcting calls",
};

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
