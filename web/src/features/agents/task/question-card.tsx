// A question of an agent that has no answer yet, and the place to answer it.

import { Alert, Button, Group, Text, Textarea } from "@mantine/core";
import { IconHelp, IconSend } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type BusMessage, routes } from "../../../../../src/protocol/api.ts";
import { agentTaskKey, busKey, type TaskPlace } from "../../../lib/data/agents.ts";
import { tone } from "../../../lib/tones.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { Time } from "../../../ui/time.tsx";
import { showDone } from "../../../ui/toast.ts";

type QuestionCardProps = { readonly place: TaskPlace; readonly question: BusMessage };

export function QuestionCard({ place, question }: QuestionCardProps) {
  const queryClient = useQueryClient();
  const draft = useDraft(`homework.answer-draft.${question.msg_id}`, (kept) => (typeof kept === "string" ? kept : ""));
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: agentTaskKey(place) });
    void queryClient.invalidateQueries({ queryKey: busKey(place) });
  };
  const answer = useCreate(routes.agents.answer, {
    onSuccess: () => {
      draft.forget();
      showDone("Answer sent.");
      refresh();
    },
  });
  const text = draft.value;
  return (
    <Alert color={tone.needsYou} icon={<IconHelp aria-hidden />} title="An agent asks" className="question-card">
      <Text size="sm" className="pre-wrap" dir="auto" mb="xs">
        {question.body}
      </Text>
      <form
        aria-label="Answer the question"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "" && !answer.isPending)
            answer.mutate({ params: place, body: { question_id: question.msg_id, text } }, { onError: refresh });
        }}
      >
        <Textarea
          aria-label="Answer"
          autosize
          minRows={2}
          maxRows={10}
          dir="auto"
          value={text}
          onChange={(event) => draft.change(event.currentTarget.value)}
        />
        <Group justify="space-between" mt="xs">
          <Text size="xs" c="dimmed">
            {Number.isNaN(Date.parse(question.ts)) ? null : (
              <>
                Asked <Time at={question.ts} />
              </>
            )}
          </Text>
          <Button
            type="submit"
            size="sm"
            leftSection={<IconSend size={16} aria-hidden />}
            loading={answer.isPending}
            disabled={text.trim() === ""}
          >
            Send answer
          </Button>
        </Group>
      </form>
    </Alert>
  );
}
