// The tools an answer used or wants to use. What changes something waits for a yes or a no, one by one.

import { Button, Group, Paper, Spoiler, Stack, Text } from "@mantine/core";
import { IconCheck, IconHelp, IconX } from "@tabler/icons-react";
import type { ChatMessage } from "../../../../src/protocol/api.ts";
import { wordsOf } from "../../ui/wording.ts";
import type { Decision, Talk } from "./use-talk.ts";

type Call = ChatMessage["calls"][number];
type MessageCallsProps = { readonly message: ChatMessage; readonly talk: Talk };

export function MessageCalls({ message, talk }: MessageCallsProps) {
  if (message.calls.length === 0) return null;
  const waiting = message.calls.filter((call) => isWaiting(message, call));
  const say = (calls: readonly Call[], decision: Decision["decision"]) =>
    talk.decide.mutate({
      messageSeq: message.seq,
      decisions: calls.map(({ call_id }) => ({ call_id, decision })),
    });
  return (
    <Stack gap="xs" mt="xs" component="ul" className="chat-calls" aria-label="Actions">
      {message.calls.map((call) => (
        <li key={call.call_id}>
          {isWaiting(message, call) ? (
            <WaitingCall call={call} isBusy={talk.decide.isPending} onSay={(decision) => say([call], decision)} />
          ) : (
            <DoneCall call={call} />
          )}
        </li>
      ))}
      {waiting.length > 1 ? (
        <Group gap="xs" component="li">
          <Button size="xs" loading={talk.decide.isPending} onClick={() => say(waiting, "approve")}>
            Approve all {waiting.length}
          </Button>
          <Button size="xs" variant="default" onClick={() => say(waiting, "reject")} disabled={talk.decide.isPending}>
            Reject all
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}

const isWaiting = ({ state }: ChatMessage, call: Call): boolean =>
  state === "awaiting_confirmation" && call.needs_confirmation && call.state === "pending";

type WaitingCallProps = {
  readonly call: Call;
  readonly isBusy: boolean;
  readonly onSay: (decision: Decision["decision"]) => void;
};

function WaitingCall({ call, isBusy, onSay }: WaitingCallProps) {
  const [what = "", ...details] = linesOf(call);
  return (
    <Paper withBorder p="sm" className="needs-you">
      <Text fw={600} size="sm" className="breakable" dir="auto">
        {what}
      </Text>
      {details.length > 0 ? (
        <Spoiler maxHeight={160} showLabel="Show all of it" hideLabel="Show less">
          <Text size="sm" className="breakable pre-wrap" dir="auto">
            {details.join("\n")}
          </Text>
        </Spoiler>
      ) : null}
      <Text size="xs" className="faint" mt={4}>
        Nothing happens until you approve.
      </Text>
      <Group gap="xs" mt="xs">
        <Button size="xs" loading={isBusy} onClick={() => onSay("approve")} aria-label={`Approve: ${what}`}>
          Approve
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          onClick={() => onSay("reject")}
          aria-label={`Reject: ${what}`}
        >
          Reject
        </Button>
      </Group>
    </Paper>
  );
}

/** What the call does, in words, as a sentence begins. A tool without words of its own is called by its name: "Read document". */
function linesOf({ effect, tool }: Call): readonly string[] {
  const [first = "", ...details] = effect.split("\n");
  return [wordsOf(first === `call ${tool}` ? tool : first), ...details];
}

const icon = { size: 16, "aria-hidden": true } as const;
const endingWords: Readonly<Record<Call["state"], readonly [string, React.ReactNode]>> = {
  pending: ["waiting", <IconHelp key="i" {...icon} />],
  approved: ["approved", <IconCheck key="i" {...icon} />],
  rejected: ["rejected", <IconX key="i" {...icon} />],
  begun: ["started; the result is unknown", <IconHelp key="i" {...icon} />],
  done: ["done", <IconCheck key="i" {...icon} />],
  failed: ["failed", <IconX key="i" {...icon} />],
};

function DoneCall({ call }: { readonly call: Call }) {
  const [words, mark] = endingWords[call.state];
  const [what] = linesOf(call);
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" className="faint">
      {mark}
      <Text size="sm" className="breakable" dir="auto">
        {call.summary ?? what}
        {call.state === "done" && !call.needs_confirmation ? "" : ` (${words})`}
      </Text>
    </Group>
  );
}
