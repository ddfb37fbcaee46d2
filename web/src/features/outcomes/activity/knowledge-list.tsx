// What the tasks know of each other: discoveries, decisions, constraints and notes for certain tasks, each with the prompts that
// carried it. A blocker can be marked as resolved, and what is wrong can be removed.

import { Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type HomrContext, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { homrContextQuery } from "../../../lib/data/homr.ts";
import { tone } from "../../../lib/tones.ts";
import { QueryView } from "../../../ui/query-view.tsx";
import { Time } from "../../../ui/time.tsx";
import { wordsOf } from "../../../ui/wording.ts";
import { useOutcome } from "../outcome-context.tsx";
import { Receipts } from "../tower/receipts.tsx";
import { useOutcomeCommand } from "../use-outcome-command.ts";

type Line = {
  readonly id: string;
  readonly content: string;
  readonly word: string;
  readonly at: string;
  readonly prompts: number;
  readonly isBlocking: boolean;
};

export function KnowledgeList() {
  const { id } = useOutcome();
  const context = useQuery(homrContextQuery(id));
  return (
    <QueryView query={context}>
      {(known) => {
        const groups = sayOnce(toGroups(known)).filter(({ lines }) => lines.length > 0);
        if (groups.length === 0)
          return <Text c="dimmed">Nothing yet. Finished tasks add what others need to know.</Text>;
        return (
          <Stack gap="md">
            {groups.map(({ title, lines }) => (
              <section key={title} aria-label={title}>
                <Title order={3} size="h6">
                  {title}
                </Title>
                <ul className="plain-list outcome-lines">
                  {lines.map((line) => (
                    <KnowledgeRow key={line.id} line={line} />
                  ))}
                </ul>
              </section>
            ))}
          </Stack>
        );
      }}
    </QueryView>
  );
}

type KnowledgeGroup = { readonly title: string; readonly lines: readonly Line[] };

/** A discovery is often passed on as a constraint and as a note; it is read in the first of these groups. */
function sayOnce(groups: readonly KnowledgeGroup[]): readonly KnowledgeGroup[] {
  const said = new Set<string>();
  return groups.map(({ title, lines }) => {
    const unsaid = lines.filter(({ content }) => !said.has(content));
    for (const { content } of lines) said.add(content);
    return { title, lines: unsaid };
  });
}

const makers = { human: "You", worker: "A task", homr: "HOMЯ" } as const;
const priorities = { must_know: "Must know", should_know: "Should know", nice_to_know: "Nice to know" } as const;

function toGroups({ discoveries, decisions, constraints, injections }: HomrContext): readonly KnowledgeGroup[] {
  const line = (item: { id: string; content: string; created_at: string; prompts: number }, word: string): Line => ({
    id: item.id,
    content: item.content,
    word,
    at: item.created_at,
    prompts: item.prompts,
    isBlocking: false,
  });
  return [
    {
      title: "Discoveries",
      lines: discoveries.map((item) => ({
        ...line(item, item.resolved_at === null ? wordsOf(item.type) : "Resolved"),
        isBlocking: item.type === "blocker" && item.resolved_at === null,
      })),
    },
    { title: "Decisions", lines: decisions.map((item) => line(item, makers[item.made_by])) },
    { title: "Constraints", lines: constraints.map((item) => line(item, wordsOf(item.type))) },
    { title: "Notes for tasks", lines: injections.map((item) => line(item, priorities[item.priority])) },
  ];
}

function KnowledgeRow({ line }: { readonly line: Line }) {
  const { id } = useOutcome();
  const resolve = useOutcomeCommand({
    failure: "The blocker was not resolved",
    send: () => api(routes.homr.resolveBlocker, { params: { outcomeId: id, itemId: line.id } }),
  });
  const remove = useOutcomeCommand({
    failure: "It was not removed",
    send: () => api(routes.homr.forget, { params: { outcomeId: id, itemId: line.id } }),
  });
  return (
    <li>
      <Text size="sm" className="pre-wrap" dir="auto">
        {line.content}
      </Text>
      <Group gap="xs" justify="space-between" mt={4}>
        <Group gap="xs">
          <Badge size="sm" variant="light" tt="none" color={line.isBlocking ? tone.strong : tone.plain}>
            {line.word}
          </Badge>
          <Text size="xs" c="dimmed">
            <Time at={line.at} />
          </Text>
        </Group>
        <Group gap="xs">
          {line.isBlocking ? (
            <Button
              size="compact-xs"
              variant="default"
              loading={resolve.isPending}
              onClick={() => resolve.mutate(undefined)}
              aria-label={`Mark as resolved: ${line.content.slice(0, 80)}`}
            >
              Mark as resolved
            </Button>
          ) : null}
          <Button
            size="compact-xs"
            variant="subtle"
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined)}
            aria-label={`Remove: ${line.content.slice(0, 80)}`}
          >
            Remove
          </Button>
        </Group>
      </Group>
      <Receipts itemId={line.id} prompts={line.prompts} />
    </li>
  );
}
