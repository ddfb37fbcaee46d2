// What you said to the run, in which prompts it stood, and what the run says it did about it.

import { Stack, Text } from "@mantine/core";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { receiptWords } from "../../../../../src/protocol/words/receipt.ts";
import { Card } from "../../../ui/card.tsx";
import { useRun } from "../run-context.tsx";

export function SaidCard({ report }: { readonly report: RunReport }) {
  const { run } = useRun();
  if (run.messages.length === 0) return null;
  return (
    <Card title="What you said and where it went">
      <ul className="plain-list">
        {run.messages.map((message) => (
          <Stack component="li" key={message.id} gap={2} className="run-row">
            <Text size="sm" className="breakable pre-wrap" dir="auto">
              {message.text}
            </Text>
            <How text={report.messages.find(({ text }) => text === message.text)?.how ?? null} />
            <Text size="xs" c="dimmed">
              {receiptWords(message, true)}
            </Text>
          </Stack>
        ))}
      </ul>
    </Card>
  );
}

function How({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <Text size="sm" className="breakable" dir="auto">
      → {text}
    </Text>
  );
}
