// The title of a run as the heading of its page. It is renamed in place: Enter saves, Escape leaves it as it was, and an empty title is
// the one that the run had at first.

import { ActionIcon, Group, TextInput, Title } from "@mantine/core";
import { IconCheck, IconPencil, IconX } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import { useAway } from "../../../lib/use-away.ts";
import { useRename } from "../controls/use-label-commands.ts";
import { useRun } from "../run-context.tsx";

export function RunTitle() {
  const { title } = useRun().run;
  const [isEditing, setIsEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const away = useAway();
  const leave = () => {
    setIsEditing(false);
    // The button is there again after the next render.
    setTimeout(() => pencil.current?.focus(), 0);
  };
  if (isEditing) return <TitleForm title={title} onLeave={leave} />;
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Title order={1} className="breakable run-heading" dir="auto">
        {title}
      </Title>
      <ActionIcon
        ref={pencil}
        variant="subtle"
        color="gray"
        className="not-printed unshrinkable"
        aria-label="Rename run"
        title="Rename run"
        disabled={away !== null}
        onClick={() => setIsEditing(true)}
      >
        <IconPencil size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function TitleForm({ title, onLeave }: { readonly title: string; readonly onLeave: () => void }) {
  const [text, setText] = useState(title);
  const rename = useRename();
  const save = () => {
    if (text.trim() !== title) rename.mutate(text.trim());
    onLeave();
  };
  return (
    <form
      className="run-title-form"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h1 className="run-title-hidden">{title}</h1>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          className="grow"
          aria-label="Title of the run"
          placeholder="Empty: the first title"
          maxLength={runLimits.title}
          dir="auto"
          // The user has just asked to write here.
          autoFocus
          value={text}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onLeave();
          }}
        />
        <ActionIcon type="submit" size={36} aria-label="Save title">
          <IconCheck size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" size={36} aria-label="Keep the old title" onClick={onLeave}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </form>
  );
}
