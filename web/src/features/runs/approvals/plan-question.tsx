// The run's plan and what it wants to be measured by, with a yes, a no, or what should be different.

import { Divider, Radio, SimpleGrid, Stack, Text, Textarea, Title } from "@mantine/core";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import { CheckRows } from "../page/check-rows.tsx";
import { PlanSteps } from "../page/plan-steps.tsx";
import { useRun } from "../run-context.tsx";
import { approve, change, reject } from "./answers.ts";
import type { QuestionFieldProps } from "./plain-question.tsx";

export function PlanQuestion({ question, answer, onAnswer }: QuestionFieldProps) {
  const { run } = useRun();
  return (
    <Stack gap="sm" role="group" aria-label="The plan">
      <Text className="pre-wrap" fw={600} dir="auto">
        {question.text}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <section aria-label="Steps it plans">
          <Title order={3} size="h6">
            Steps
          </Title>
          <PlanSteps runId={run.id} steps={run.plan} />
        </section>
        <section aria-label="Checks it wants to be measured by">
          <Title order={3} size="h6">
            Measured by
          </Title>
          <CheckRows
            runId={run.id}
            checks={run.completion_criteria.map((check) => ({ ...check, proof: null }))}
            deliverables={run.deliverables}
          />
        </section>
      </SimpleGrid>
      <Divider />
      <Radio.Group
        label="Your word on the plan"
        value={answer.option ?? ""}
        onChange={(option) => onAnswer({ ...answer, option })}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value={approve}
            label="Approve"
            description="It works by this plan, and may write where it was allowed to"
          />
          <Radio value={change} label="Change it" description="It plans again with what you say, and asks again" />
          <Radio value={reject} label="Reject" description="It plans again from the beginning, and asks again" />
        </Stack>
      </Radio.Group>
      {answer.option === change ? (
        <Textarea
          label="What should be different?"
          required
          autosize
          minRows={2}
          maxRows={10}
          maxLength={runLimits.message}
          dir="auto"
          value={answer.words}
          onChange={(event) => onAnswer({ ...answer, words: event.currentTarget.value })}
        />
      ) : null}
    </Stack>
  );
}
