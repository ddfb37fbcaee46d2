// Checks one below the other, each in a line; its proof opens below it.

import { Stack, Text } from "@mantine/core";
import { IconCircleCheckFilled, IconCircleDashed, IconCircleXFilled } from "@tabler/icons-react";
import type { Run, RunOutput } from "../../../../../src/protocol/api.ts";
import { type CheckState, stateOfCheck } from "../../../../../src/protocol/check-state.ts";
import { addressUser, checkOrigin, checkSentence, type RunCheck } from "../../../../../src/protocol/words/check.ts";
import { ArtifactLinks } from "./artifact-links.tsx";
import { judgeQuote } from "./check-state.ts";

type CheckRowsProps = {
  readonly runId: string;
  readonly checks: readonly RunCheck[];
  readonly deliverables: Run["deliverables"];
  readonly titles?: ReadonlyMap<string, RunOutput>;
  /** Whether one that does not hold has failed. */
  readonly due: boolean;
  /** What they looked at is gone: none of them says anything any more. */
  readonly isVoid?: boolean;
};

export function CheckRows({ runId, checks, deliverables, titles = new Map(), due, isVoid = false }: CheckRowsProps) {
  return (
    <ul className="plain-list">
      {checks.map((check) => (
        <li key={check.id} className="run-row">
          <details className="check">
            <summary>
              <Mark state={isVoid ? "pending" : stateOfCheck(check, due)} />
              <Text span size="sm" className="breakable" dir="auto">
                {checkSentence(check.words)}
                <Reason check={check} isOpen={!isVoid && due && stateOfCheck(check, due) !== "passed"} />
              </Text>
            </summary>
            <Stack gap={4} className="check-more">
              <Text size="xs" c="dimmed" className="breakable" dir="auto">
                {checkOrigin(check, deliverables)}
              </Text>
              <Proof check={check} />
              <ArtifactLinks runId={runId} artifacts={check.proof?.artifacts ?? []} titles={titles} />
            </Stack>
          </details>
        </li>
      ))}
    </ul>
  );
}

const looks = {
  pending: { Icon: IconCircleDashed, color: "faint", words: "Pending" },
  passed: { Icon: IconCircleCheckFilled, color: "run-green", words: "Passed" },
  failed: { Icon: IconCircleXFilled, color: "run-red", words: "Failed" },
} as const;

function Mark({ state }: { readonly state: CheckState }) {
  const { Icon, color, words } = looks[state];
  return <Icon size={18} role="img" aria-label={words} className={`unshrinkable ${color}`} />;
}

/** Why it failed or was not asked, to be read without opening it. */
function Reason({ check: { proof }, isOpen }: { readonly check: RunCheck; readonly isOpen: boolean }) {
  if (!isOpen || proof === null || proof.seen.trim() === "") return null;
  return (
    <Text span size="xs" c="dimmed" className="check-reason" lineClamp={2}>
      {checkSentence(proof.seen)}
    </Text>
  );
}

function Proof({ check: { proof } }: { readonly check: RunCheck }) {
  if (proof === null)
    return (
      <Text size="sm" c="dimmed">
        Not checked yet.
      </Text>
    );
  const quote = judgeQuote(proof.seen);
  if (quote === null)
    return (
      <Text size="sm" className="breakable" dir="auto">
        Iteration {proof.iteration}: {addressUser(proof.seen)}
      </Text>
    );
  return (
    <>
      <Text size="sm">Iteration {proof.iteration}: the judge agreed and quoted</Text>
      <Text component="blockquote" size="sm" m={0} className="report-opening breakable" dir="auto">
        {quote}
      </Text>
    </>
  );
}
