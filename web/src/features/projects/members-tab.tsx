// Who belongs to the project. Owners add people, change roles and remove them; everyone else looks.

import { ActionIcon, Group, Paper, Select, Stack, Text, Title } from "@mantine/core";
import { IconUserMinus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Member, Project } from "../../../../src/protocol/api.ts";
import { type ProjectRole, projectRoles } from "../../../../src/protocol/kinds.ts";
import { mayManage, useProject } from "../../lib/current-route.ts";
import { membersQuery } from "../../lib/data/projects.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { wordsOf } from "../../ui/wording.ts";
import { AddMemberForm } from "./add-member-form.tsx";
import { useMemberChanges } from "./use-member-changes.ts";

export function MembersTab() {
  const project = useProject();
  const members = useQuery(membersQuery(project.id));
  usePageTitle("Members", project.name);
  return (
    <Stack component="section">
      <div>
        <Title order={2} size="h4">
          Members
        </Title>
        <Text size="sm" c="dimmed">
          Viewers look, editors change things, owners also decide who belongs here.
        </Text>
      </div>
      {mayManage(project) ? <AddMemberForm projectId={project.id} /> : null}
      <QueryView query={members}>
        {({ items }) => (
          <Stack component="ul" gap="xs" className="plain-list">
            {items.map((member) => (
              <MemberRow key={member.user_id} project={project} member={member} />
            ))}
          </Stack>
        )}
      </QueryView>
    </Stack>
  );
}

function MemberRow({ project, member }: { readonly project: Project; readonly member: Member }) {
  return (
    <Paper component="li" withBorder className="row">
      <Group justify="space-between" gap="sm">
        <div className="row-text">
          <Text fw={600} className="breakable">
            {member.name}
          </Text>
          <Text size="sm" c="dimmed" className="breakable">
            {member.email}
          </Text>
        </div>
        {mayManage(project) ? (
          <MemberControls project={project} member={member} />
        ) : (
          <Text>{wordsOf(member.role)}</Text>
        )}
      </Group>
    </Paper>
  );
}

function MemberControls({ project, member }: { readonly project: Project; readonly member: Member }) {
  const { changeRole, remove } = useMemberChanges(project.id, member.user_id);
  const askToRemove = () =>
    askFirst({
      title: `Remove ${member.name}?`,
      text: "They will no longer see this project. What they wrote stays.",
      confirm: "Remove",
      onConfirm: () => remove.mutate(),
    });
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        aria-label={`Role of ${member.name}`}
        w={120}
        allowDeselect={false}
        data={projectRoles.map((role) => ({ value: role, label: wordsOf(role) }))}
        value={member.role}
        disabled={changeRole.isPending}
        onChange={(role) => role && changeRole.mutate(role as ProjectRole)}
      />
      <ActionIcon variant="default" size={36} aria-label={`Remove ${member.name}`} onClick={askToRemove}>
        <IconUserMinus size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
