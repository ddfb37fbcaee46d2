// Questions of agents on the home page, each with the way to answer it. They come from the tasks themselves, not from runs.

import { Paper, Stack, Text } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import type { AgentQuestion } from "../../../../../src/protocol/api.ts";
import { tone } from "../../../lib/tones.ts";
import { ButtonLink } from "../../../ui/links.tsx";
import { taskPlace } from "../../../ui/task-place.ts";

export function AgentQuestions({ asked }: { readonly asked: readonly AgentQuestion[] }) {
  return (
    <Stack gap="sm" mt="md" component="section" aria-label="Questions of your agents">
      {asked.map((each) => (
        <Paper key={each.question_id} withBorder className="row listed-run needs-you">
          <div className="run-question">
            <IconMessageQuestion size={20} aria-hidden className="unshrinkable" />
            <Text size="sm" className="breakable row-text" lineClamp={4} dir="auto">
              <b>{each.title || each.task_id}</b> asks: {each.question}
            </Text>
            <ButtonLink {...taskPlace(each)} size="xs" color={tone.needsYou}>
              Answer
            </ButtonLink>
          </div>
        </Paper>
      ))}
    </Stack>
  );
}
