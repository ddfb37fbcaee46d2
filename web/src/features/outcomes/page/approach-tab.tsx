// How the outcome is gone about: the newest version, editing it, and all versions with who wrote them, why, and what changed.

import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Design } from "../../../../../src/protocol/api.ts";
import { designsQuery } from "../../../lib/data/outcomes.ts";
import { tone } from "../../../lib/tones.ts";
import { Card } from "../../../ui/card.tsx";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { LoadMore } from "../../../ui/load-more.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { TextDiff } from "../../../ui/text-diff.tsx";
import { Time } from "../../../ui/time.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { useOutcome } from "../outcome-context.tsx";
import { firstChange } from "../outcome-words.ts";
import { ApproachModal } from "./approach-modal.tsx";
import { Suggestions } from "./suggestions-card.tsx";

export function ApproachTab() {
  const { name, approach, status, is_drafting: isDrafting } = useOutcome();
  usePageTitle("Approach", name);
  const [isEditing, { open, close }] = useDisclosure(false);
  const mayEdit = status !== "archived" && !isDrafting;
  return (
    <Stack>
      <Card
        className="outcome-approach"
        title={approach === null ? "Approach" : `Approach, version ${approach.version}`}
        beside={
          mayEdit ? (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPencil size={14} aria-hidden />}
              onClick={open}
            >
              {approach === null ? "Write approach" : "Edit approach"}
            </Button>
          ) : null
        }
      >
        {approach === null ? (
          <Text size="sm" c="dimmed">
            No approach yet. It says how the work is done, and every task reads it.
          </Text>
        ) : (
          <LazyMarkdown text={approach.text} />
        )}
      </Card>
      {mayEdit ? <Suggestions /> : null}
      {approach === null ? null : <Versions />}
      {isEditing ? <ApproachModal onClose={close} /> : null}
    </Stack>
  );
}

function Versions() {
  const { id } = useOutcome();
  const designs = useInfiniteQuery(designsQuery(id));
  return (
    <Card title="Versions">
      <QueryView query={designs}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          return (
            <>
              <ul className="plain-list outcome-lines" aria-label="Versions of the approach">
                {items.map((design, at) => (
                  <VersionRow key={design.version} design={design} before={items[at + 1] ?? null} />
                ))}
              </ul>
              <LoadMore query={designs} />
            </>
          );
        }}
      </QueryView>
    </Card>
  );
}

const makers: Readonly<Record<Design["made_by"], string>> = { user: "You", planner: "Draft", homr: "HOMЯ" };

function VersionRow({ design, before }: { readonly design: Design; readonly before: Design | null }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const label = isOpen ? "Hide" : before === null ? "Show text" : "Show changes";
  const change = before === null ? null : firstChange(before.text, design.text);
  return (
    <li>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            Version {design.version}
          </Text>
          <Badge size="sm" variant="light" tt="none" color={design.made_by === "homr" ? tone.atWork : tone.plain}>
            {makers[design.made_by]}
          </Badge>
          <Text size="xs" c="dimmed">
            <Time at={design.created_at} />
          </Text>
        </Group>
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={isOpen}
          onClick={toggle}
          aria-label={`${label}: version ${design.version}`}
        >
          {label}
        </Button>
      </Group>
      {design.why === "" || design.made_by === "user" ? null : (
        <Text size="sm" className="breakable" dir="auto">
          {design.why}
        </Text>
      )}
      {isOpen || (change === null && design.version !== 1) ? null : (
        <Text size="sm" c="dimmed" lineClamp={1} className="breakable" dir="auto">
          {change ?? "First version"}
        </Text>
      )}
      {isOpen ? <TextDiff before={before?.text ?? null} after={design.text} /> : null}
    </li>
  );
}
