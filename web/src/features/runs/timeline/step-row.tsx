// One step: what it came to in a line, and on demand what it was called with and what it answered.

import { Badge, Code, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconMessage2, IconNote, IconTool, IconWorld } from "@tabler/icons-react";
import { useState } from "react";
import type { RunStep } from "../../../../../src/protocol/api.ts";
import { counted, dollars } from "../../../../../src/protocol/figures.ts";
import { RawText } from "../events/raw-text.tsx";
import { shortDuration } from "./iteration-words.ts";
import { marksOf, type StepMark, tookMs } from "./lanes.ts";

const kindIcons = { model: IconMessage2, tool: IconTool, effect: IconWorld, platform: IconNote } as const;
const kindWords = { model: "Model", tool: "Tool", effect: "Outside world", platform: "Platform" } as const;

const markWords: Readonly<Record<StepMark, readonly [string, string]>> = {
  failed: ["Failed", "red"],
  uncertain: ["Nobody knows whether it happened", "orange"],
  running: ["Under way", "blue"],
  repaired: ["Repaired", "yellow"],
};

type StepRowProps = { readonly step: RunStep; readonly isRepaired: boolean };

export function StepRow({ step, isRepaired }: StepRowProps) {
  const [isOpen, setOpen] = useState(false);
  const hasMore = step.args !== null || step.result !== null;
  const line = <StepLine step={step} isRepaired={isRepaired} />;
  if (!hasMore) return <div className="step-row">{line}</div>;
  return (
    <>
      <UnstyledButton className="step-row" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {line}
      </UnstyledButton>
      {isOpen ? (
        <Stack gap="xs" className="step-more">
          {step.args === null ? null : <RawText label="Arguments" text={step.args} isCut={step.is_cut} />}
          {step.result === null ? null : <RawText label="Result" text={step.result} isCut={step.is_cut} />}
        </Stack>
      ) : null}
    </>
  );
}

function StepLine({ step, isRepaired }: StepRowProps) {
  const Icon = kindIcons[step.kind];
  return (
    <>
      <Icon size={16} stroke={1.6} aria-label={kindWords[step.kind]} className="unshrinkable" />
      <div className="grow">
        <Group gap={6} wrap="wrap">
          <Text span size="sm" className="breakable">
            {summaryOf(step)}
          </Text>
          {marksOf(step, isRepaired).map((mark) => (
            <Badge key={mark} size="sm" variant="light" color={markWords[mark][1]} tt="none">
              {markWords[mark][0]}
            </Badge>
          ))}
        </Group>
        <Text size="xs" c="dimmed" className="breakable">
          {step.tool ? <Code fz="xs">{step.tool}</Code> : null} {factsOf(step).join(" · ")}
        </Text>
      </div>
    </>
  );
}

/** Whose it is stands below it already. */
function summaryOf({ summary, tool, role, key }: RunStep): string {
  const told = [tool, role].find((name) => name !== null && summary.startsWith(`${name}: `));
  return (told ? summary.slice(told.length + 2) : summary) || key;
}

function factsOf(step: RunStep): readonly string[] {
  const ms = tookMs(step);
  return [
    ...(step.model ? [step.role ? `${step.model} as ${step.role}` : step.model] : []),
    // What is written down in one go has no length of its own.
    ...(ms ? [shortDuration(ms)] : []),
    ...(step.cost_micro_usd ? [dollars(step.cost_micro_usd)] : []),
    ...(step.tokens ? [counted(step.tokens, "token")] : []),
  ];
}
