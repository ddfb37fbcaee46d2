// The messages of a task or a project as threads, with a box to write one.

import { Alert, Badge, Button, Center, Code, Group, Paper, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconMessage2 } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { BusMessage } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { type BusPlace, busQuery } from "../../../lib/data/agents.ts";
import { tone } from "../../../lib/tones.ts";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { Time } from "../../../ui/time.tsx";
import { type Thread, toThreads } from "./bus-threads.ts";
import { ComposeBox } from "./compose-box.tsx";

type BusViewProps = {
  readonly place: BusPlace;
  /** Where no stream tells of new messages. */
  readonly readEveryMs?: number;
  /** What becomes of a message, below the box. */
  readonly hint?: string | null;
  readonly isReadOnly?: boolean;
};

export function BusView({ place, readEveryMs, hint = null, isReadOnly = false }: BusViewProps) {
  const bus = useInfiniteQuery({ ...busQuery(place), refetchInterval: readEveryMs ?? false });
  const [replyTo, setReplyTo] = useState<BusMessage | null>(null);
  return (
    <Stack gap="md">
      {isReadOnly ? null : (
        <ComposeBox
          key={`${place.agentProject}/${place.agentTask}`}
          place={place}
          replyTo={replyTo}
          hint={hint}
          onDone={() => setReplyTo(null)}
        />
      )}
      <QueryView query={bus}>
        {({ pages }) => {
          const messages = pages.toReversed().flatMap(({ items }) => items);
          const damages = pages[0]?.damages ?? [];
          return (
            <>
              {damages.length > 0 ? <Damaged count={damages.length} why={damages[0]?.why ?? ""} /> : null}
              {messages.length === 0 ? (
                <NoMessages />
              ) : (
                <Threads messages={messages} onReply={isReadOnly ? null : setReplyTo} />
              )}
            </>
          );
        }}
      </QueryView>
      {bus.hasNextPage ? (
        <Center>
          <Button variant="default" loading={bus.isFetchingNextPage} onClick={() => bus.fetchNextPage()}>
            Show older messages
          </Button>
        </Center>
      ) : null}
    </Stack>
  );
}

/** Null: no reply can be given. */
type OnReply = ((message: BusMessage) => void) | null;

function Threads({ messages, onReply }: { readonly messages: readonly BusMessage[]; readonly onReply: OnReply }) {
  return (
    <Stack gap="sm" component="ol" className="plain-list" aria-label="Messages, newest first">
      {toThreads(messages)
        .toReversed()
        .map((thread) => (
          <ThreadCard key={thread.message.msg_id} thread={thread} onReply={onReply} />
        ))}
    </Stack>
  );
}

function ThreadCard({ thread, onReply }: { readonly thread: Thread; readonly onReply: OnReply }) {
  return (
    <Paper withBorder p="sm" component="li">
      <Message message={thread.message} />
      {thread.replies.length > 0 ? (
        <Stack gap="sm" mt="sm" component="ol" className="plain-list bus-replies">
          {thread.replies.map((reply) => (
            <li key={reply.msg_id}>
              <Message message={reply} />
            </li>
          ))}
        </Stack>
      ) : null}
      {onReply === null ? null : (
        <Button variant="subtle" size="compact-xs" mt={4} onClick={() => onReply(thread.message)}>
          Reply
        </Button>
      )}
    </Paper>
  );
}

const typeColors: Readonly<Record<string, string>> = {
  QUESTION: tone.needsYou,
  ANSWER: tone.passed,
  USER: tone.passed,
  ERROR: tone.failure,
  CRASH: tone.failure,
  RUN_CRASH: tone.failure,
  WARNING: tone.strong,
  FACT: tone.plain,
  START: tone.atWork,
  STOP: tone.atWork,
};

/** Of a message that no run says. */
const speakerWords: Readonly<Record<BusMessage["speaker"], string>> = {
  person: " · a person",
  agent: " · an agent",
  runner: "",
};

/** Messages of the runner: a line says enough, and paths are for those who want them. */
const ofRunner = /^(RUN_)?(START|STOP|CRASH)$/;
/** Characters of a body that are shown at once. */
const shownAtOnce = 1_200;

function Message({ message }: { readonly message: BusMessage }) {
  const [isWhole, setWhole] = useState(false);
  const { body } = message;
  const isLong = body.length > shownAtOnce && !isWhole;
  const [first = "", ...rest] = body.split("\n");
  return (
    <>
      <Group gap="xs" mb={2}>
        <Badge variant="light" color={typeColors[message.type] ?? "gray"} tt="none" size="sm">
          {message.type}
        </Badge>
        <Text size="xs" c="dimmed">
          {Number.isNaN(Date.parse(message.ts)) ? "No time" : <Time at={message.ts} />}
          {message.run_id === "" ? speakerWords[message.speaker] : ` · run ${message.run_id}`}
        </Text>
      </Group>
      {ofRunner.test(message.type) && rest.length > 0 ? (
        <details className="log-block">
          <summary>{first}</summary>
          <Text size="sm" className="pre-wrap" dir="auto">
            {rest.join("\n").slice(0, shownAtOnce * 10)}
          </Text>
        </details>
      ) : (
        <Text size="sm" className="pre-wrap" dir="auto">
          {isLong ? `${body.slice(0, shownAtOnce)}…` : body}
        </Text>
      )}
      {isLong && !ofRunner.test(message.type) ? (
        <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
          Show all ({counted(body.length, "character")})
        </Button>
      ) : null}
      {message.attachment === null ? null : (
        <Text size="xs" c="dimmed">
          Whole text in <Code>{message.attachment}</Code>
        </Text>
      )}
    </>
  );
}

function Damaged({ count, why }: { readonly count: number; readonly why: string }) {
  return (
    <Alert color={tone.failure} icon={<IconAlertTriangle aria-hidden />} p="xs">
      {counted(count, "part")} of the message file could not be read ({why}).
    </Alert>
  );
}

function NoMessages() {
  return (
    <EmptyNotice icon={<IconMessage2 aria-hidden />} title="No messages yet">
      Messages between you, the agents and run-agent. Agents read them when they start.
    </EmptyNotice>
  );
}
