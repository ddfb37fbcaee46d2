// One message: who said it, what, the tools it used, and how it ended.

import { Alert, Badge, Group, Loader, Paper, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ChatMessage } from "../../../../src/protocol/api.ts";
import { cost, counted } from "../../../../src/protocol/figures.ts";
import { nameModel } from "../../../../src/protocol/words/model.ts";
import { tone } from "../../lib/tones.ts";
import { ForeignTexts } from "../../ui/foreign-texts.tsx";
import { LazyMarkdown } from "../../ui/lazy-markdown.tsx";
import { MessageCalls } from "./message-calls.tsx";
import type { Talk } from "./use-talk.ts";

type MessageProps = { readonly message: ChatMessage; readonly talk: Talk };

export function Message({ message, talk }: MessageProps) {
  return message.role === "user" ? <Asked message={message} /> : <Answered message={message} talk={talk} />;
}

function Asked({ message }: { readonly message: ChatMessage }) {
  return (
    <article className="chat-asked" aria-label="You">
      <Paper withBorder px="md" py="xs" className="breakable pre-wrap" dir="auto">
        {message.text}
        <ForeignTexts texts={message.foreign_texts} />
      </Paper>
    </article>
  );
}

function Answered({ message, talk }: MessageProps) {
  const isWriting = message.state === "streaming";
  return (
    <article className="chat-answered" aria-label="Answer" aria-busy={isWriting}>
      {message.text === "" ? null : (
        <div dir="auto">
          <LazyMarkdown text={message.text} />
        </div>
      )}
      <MessageCalls message={message} talk={talk} />
      {isWriting ? (
        <Group gap="xs" mt="xs">
          <Loader size="xs" aria-hidden />
          <Text size="sm" className="faint">
            Writing…
          </Text>
        </Group>
      ) : (
        <Facts message={message} />
      )}
      {message.error ? (
        <Alert color={tone.failure} mt="xs" title="The answer ended here" icon={<IconAlertTriangle aria-hidden />}>
          {message.error}
        </Alert>
      ) : null}
    </article>
  );
}

/** Who answered and what it cost. */
function Facts({ message }: { readonly message: ChatMessage }) {
  const { model, is_demo: isDemo, state, metrics, text, calls } = message;
  // What only looked something up is told by its actions; the answer that follows names the model.
  const isStep = state === "complete" && text === "" && calls.length > 0;
  if (isStep || (model === null && state !== "stopped")) return null;
  const { cost_total_micro_usd: spent, unpriced_calls: unpriced, tokens_total: tokens } = metrics;
  return (
    <Group gap="xs" mt={4}>
      {isDemo ? (
        <Badge color="gray" variant="light" tt="none">
          Demo model: rules, no AI
        </Badge>
      ) : null}
      <Text size="xs" className="faint" title={model === null ? "" : `${model}, ${counted(tokens, "token")}`}>
        {state === "stopped" ? "You stopped the answer here. " : ""}
        {model === null ? "" : `${nameModel(model)} · ${cost(spent, unpriced)}`}
      </Text>
    </Group>
  );
}
