// One line of the log: when, what kind, what was done; opened, it says why, on what evidence, and who has read it.

import { Anchor, Badge, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { HomrActivity } from "../../../../../src/protocol/api.ts";
import { activityLabel } from "../../../../../src/protocol/words/activity.ts";
import { escalationQuery } from "../../../lib/data/homr.ts";
import { outcomeTasksQuery } from "../../../lib/data/outcomes.ts";
import { dateAndTime } from "../../../lib/dates.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { endWords } from "../tower/escalation-answer.ts";
import { Receipts } from "../tower/receipts.tsx";
import { activityColor, causeWords, listDetail, splitNumbers, textDetail } from "./activity-words.ts";
import { ObservationDetails } from "./observation-details.tsx";

const clock = new Intl.DateTimeFormat("en", { timeStyle: "short" });

export function ActivityRow({ line }: { readonly line: HomrActivity }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const hasMore = detailsOf(line).some((part) => part !== null);
  return (
    <li>
      <Group gap="xs">
        <Text component="time" size="xs" c="dimmed" dateTime={line.created_at} title={dateAndTime(line.created_at)}>
          {clock.format(new Date(line.created_at))}
        </Text>
        <Badge size="sm" variant="light" tt="none" color={activityColor(line)}>
          {activityLabel(line)}
        </Badge>
        {hasMore ? (
          <Anchor
            component="button"
            type="button"
            size="xs"
            onClick={toggle}
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={`${isOpen ? "Hide" : "Show"} why: ${line.summary.slice(0, 80)}`}
          >
            {isOpen ? "Hide why" : "Why"}
          </Anchor>
        ) : null}
      </Group>
      <Text size="sm" className="breakable" dir="auto">
        <Summary text={line.summary} />
      </Text>
      <div id={id}>{isOpen ? <Details line={line} /> : null}</div>
    </li>
  );
}

/** Numbers of tasks lead to them. */
function Summary({ text }: { readonly text: string }) {
  const { id } = useOutcome();
  const tasks = useQuery(outcomeTasksQuery(id)).data ?? [];
  return splitNumbers(text).map(({ at, text: words, number }) => {
    const task = number === null ? undefined : tasks.find((each) => each.number === number);
    return task === undefined ? (
      <span key={at}>{words}</span>
    ) : (
      <AnchorLink key={at} size="sm" underline="always" to="." search={{ task: task.id }} resetScroll={false}>
        {words}
      </AnchorLink>
    );
  });
}

/** What there is to open; all null: nothing. */
const detailsOf = (line: HomrActivity) => [
  causeWords(line),
  textDetail(line, "reason"),
  textDetail(line, "why"),
  observationOf(line),
  escalationOf(line),
  line.type === "review" ? textDetail(line, "summary") : null,
];

const observationOf = (line: HomrActivity) => line.cause.observation_id ?? textDetail(line, "observation_id");
const escalationOf = (line: HomrActivity) => line.cause.escalation_id ?? textDetail(line, "escalation_id");

function Details({ line }: { readonly line: HomrActivity }) {
  const observationId = observationOf(line);
  const escalationId = escalationOf(line);
  const made = textDetail(line, "made_id");
  return (
    <Stack gap={6} mt={4} ps="md" className="outcome-details">
      {[causeWords(line), textDetail(line, "reason"), textDetail(line, "why")].map((text) =>
        text === null ? null : (
          <Text key={text} size="sm" className="breakable" dir="auto">
            {text}
          </Text>
        ),
      )}
      {line.type === "review" ? <Text size="sm">{textDetail(line, "summary")}</Text> : null}
      <TaskLinks ids={listDetail(line, "task_ids")} />
      {made !== null && isInjection(line) ? <Receipts itemId={made} /> : null}
      {escalationId === null ? null : <QuestionDetails escalationId={escalationId} />}
      {observationId === null ? null : <ObservationDetails observationId={observationId} />}
    </Stack>
  );
}

const isInjection = (line: HomrActivity) => textDetail(line, "action") === "inject_context";

function TaskLinks({ ids }: { readonly ids: readonly string[] }) {
  const { id } = useOutcome();
  const tasks = (useQuery(outcomeTasksQuery(id)).data ?? []).filter((task) => ids.includes(task.id));
  if (tasks.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm">For</Text>
      {tasks.map((task) => (
        <AnchorLink key={task.id} size="sm" to="." search={{ task: task.id }} resetScroll={false}>
          #{task.number} {task.title}
        </AnchorLink>
      ))}
    </Group>
  );
}

function QuestionDetails({ escalationId }: { readonly escalationId: string }) {
  const { id } = useOutcome();
  const query = useQuery(escalationQuery(id, escalationId));
  return (
    <QueryView query={query}>
      {(escalation) => (
        <Stack gap={4}>
          <Text size="sm" fw={600} className="breakable" dir="auto">
            {escalation.question.text}
          </Text>
          <ul className="outcome-criteria">
            {escalation.question.options.map((option) => (
              <li key={option.id}>
                <Text span size="sm" className="breakable" dir="auto">
                  {option.label}
                  {option.implications === "" ? "" : ` → ${option.implications}`}
                </Text>
              </li>
            ))}
          </ul>
          <Evidence lines={escalation.trigger.evidence} />
          <Text size="sm">{endWords(escalation) ?? "Waiting for your answer."}</Text>
        </Stack>
      )}
    </QueryView>
  );
}

function Evidence({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <Text size="xs" fw={600}>
        Evidence
      </Text>
      <ul className="outcome-criteria">
        {lines.map((line) => (
          <li key={line}>
            <Text span size="sm" className="breakable" dir="auto">
              {line}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  );
}
