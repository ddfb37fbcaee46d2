// The top of a conversation: its title, what it is about, and how to rename or delete it.

import { ActionIcon, Group, Menu, Text, TextInput } from "@mantine/core";
import { IconDots, IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { Chat } from "../../../../src/protocol/api.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { FormModal } from "../../ui/form-modal.tsx";
import { AnchorLink } from "../../ui/links.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Talk } from "./use-talk.ts";

type ChatHeaderProps = { readonly chat: Chat; readonly talk: Talk };

export function ChatHeader({ chat, talk }: ChatHeaderProps) {
  const [isRenaming, setRenaming] = useState(false);
  return (
    <>
      <PageHeader
        crumbs={[
          <AnchorLink key="chats" to="/chat">
            Chat
          </AnchorLink>,
          <Text key="here" span aria-current="page">
            {chat.title}
          </Text>,
        ]}
        title={chat.title}
        actions={<ChatMenu chat={chat} talk={talk} onRename={() => setRenaming(true)} />}
      />
      {chat.run_id ? (
        <Group gap={6} mb="sm">
          <Text size="sm" className="faint">
            About this run:
          </Text>
          <AnchorLink to="/homework/runs/$runId" params={{ runId: chat.run_id }} size="sm">
            open it
          </AnchorLink>
        </Group>
      ) : null}
      {isRenaming ? <RenameDialog chat={chat} talk={talk} onClose={() => setRenaming(false)} /> : null}
    </>
  );
}

function ChatMenu({ talk, onRename }: ChatHeaderProps & { readonly onRename: () => void }) {
  const remove = () =>
    askFirst({
      title: "Delete this conversation?",
      text: "Its messages are gone for good. What it has changed stays changed.",
      confirm: "Delete it",
      onConfirm: () => talk.remove.mutate(),
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="More about this conversation">
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onRename}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const titleMax = 200;

function RenameDialog({ chat, talk, onClose }: ChatHeaderProps & { readonly onClose: () => void }) {
  const [title, setTitle] = useState(chat.title);
  const isEmpty = title.trim() === "";
  return (
    <FormModal
      title="Rename the conversation"
      onClose={onClose}
      onSubmit={() => {
        if (!isEmpty) talk.rename.mutate(title.trim(), { onSuccess: onClose });
      }}
      action="Rename"
      isBusy={talk.rename.isPending}
    >
      <TextInput
        label="Title"
        value={title}
        maxLength={titleMax}
        data-autofocus
        error={isEmpty ? "Enter a title" : null}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
    </FormModal>
  );
}
