// What one may do with a project as a whole, by role.

import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots, IconPencil, IconTrash } from "@tabler/icons-react";
import type { Project } from "../../../../src/protocol/api.ts";
import { mayEdit, mayManage } from "../../lib/current-route.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { EditProjectModal } from "./edit-project-modal.tsx";
import { useProjectBin } from "./use-project-bin.ts";

export function ProjectActions({ project }: { readonly project: Project }) {
  const [editing, edit] = useDisclosure(false);
  if (!mayEdit(project)) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={edit.open}>
        Edit
      </Button>
      {mayManage(project) ? <MoreMenu project={project} /> : null}
      {editing ? <EditProjectModal project={project} onClose={edit.close} /> : null}
    </>
  );
}

function MoreMenu({ project }: { readonly project: Project }) {
  const { remove } = useProjectBin(project.id);
  const ask = () =>
    askFirst({
      title: "Put this project in the bin?",
      text: `“${project.name}” and everything in it can be restored from the bin later.`,
      confirm: "Put in the bin",
      onConfirm: () => remove.mutate(),
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions">
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={ask}>
          Put in the bin
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
