// One step: what it came to in a line, and on demand what it was called with and what it answered.

import { Badge, Code, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconMessage2, IconNote, IconTool, IconWorld } from "@tabler/icons-react";
import { useState } from "react";
import type { RunStep } from "../../../../../src/protocol/api.ts";
import { RawText } from "../events/raw-text.tsx";
import { marksOf, type StepMark } from "./lanes.ts";
import { stepFacts } from "./step-facts.ts";

const kindIcons = { model: IconMessage2, tool: IconTool, effect: IconWorld, platform: IconNote } as const;
const kindWords = { model: "Model", tool: "Tool", effect: "Outside world", platform: "Platform" } as const;

const markWords: Readonly<Record<StepMark, readonly [string, string]>> = {
  failed: ["Failed", "red"],
  uncertain: ["May or may not have happened", "orange"],
  running: ["Under way", "blue"],
};

type StepRowProps = { readonly step: RunStep };

export function StepRow({ step }: StepRowProps) {
  const [isOpen, setOpen] = useState(false);
  const error = step.error === step.result ? null : step.error;
  const hasMore = step.args !== null || step.result !== null || error !== null;
  const line = <StepLine step={step} />;
  if (!hasMore) return <div className="step-row">{line}</div>;
  return (
    <>
      <UnstyledButton className="step-row" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {line}
      </UnstyledButton>
      {isOpen ? (
        <Stack gap="xs" className="step-more">
          {error === null ? null : <RawText label="Why it failed" text={error} />}
          {step.tool === null ? null : (
            <Text size="xs">
              Tool: <Code fz="xs">{step.tool}</Code>
            </Text>
          )}
          {step.args === null ? null : <RawText label="Arguments" text={step.args} isCut={step.is_cut} />}
          {step.result === null ? null : <RawText label="Result" text={step.result} isCut={step.is_cut} />}
        </Stack>
      ) : null}
    </>
  );
}

function StepLine({ step }: StepRowProps) {
  const Icon = kindIcons[step.kind];
  return (
    <>
      <Icon size={16} stroke={1.6} aria-label={kindWords[step.kind]} className="unshrinkable" />
      <div className="grow">
        <Group gap={6} wrap="wrap">
          <Text span size="sm" className="breakable">
            {step.summary}
          </Text>
          {marksOf(step).map((mark) => (
            <Badge key={mark} size="sm" variant="light" color={markWords[mark][1]} tt="none">
              {markWords[mark][0]}
            </Badge>
          ))}
        </Group>
        <Text size="xs" c="dimmed" className="breakable">
          {stepFacts(step).join(" · ")}
        </Text>
      </div>
    </>
  );
}
