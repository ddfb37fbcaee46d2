// What the user said to the run, and how the run says it took each up.

import { Stack, Text } from "@mantine/core";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { wordsOf } from "../../../../../src/protocol/report-markdown.ts";
import { ReportSection } from "./report-section.tsx";

export function ReportMessages({ report }: { readonly report: RunReport }) {
  const words = wordsOf(report);
  if (report.messages.length === 0) return null;
  return (
    <ReportSection title={words.messages}>
      <Stack component="ul" gap="sm" className="plain-list">
        {report.messages.map(({ at, question, text, how }) => (
          <li key={`${at} ${question} ${text}`}>
            {question ? (
              <Text size="sm" c="dimmed" className="breakable" dir="auto">
                {question}
              </Text>
            ) : null}
            <Text className="breakable pre-wrap" dir="auto">
              {text}
            </Text>
            <Text size="sm" c="dimmed" className="breakable" dir="auto">
              {how ?? words.noWordOnIt}
            </Text>
          </li>
        ))}
      </Stack>
    </ReportSection>
  );
}
