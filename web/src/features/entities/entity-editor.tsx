// Title, description and markdown of a thing, saved together with the button or Ctrl+S.

import { Alert, Button, Group, Stack, Text, Textarea, Title, VisuallyHidden } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import type { KeyboardEvent } from "react";
import type { Entity } from "../../../../src/protocol/api.ts";
import { limits } from "../../../../src/protocol/kinds.ts";
import { tone } from "../../lib/tones.ts";
import { MarkdownEditor } from "../../ui/markdown-editor.tsx";
import { shown } from "./draft.ts";
import type { Editing } from "./use-entity-editing.ts";

type EntityEditorProps = {
  readonly entity: Entity;
  readonly editing: Editing;
  /** Back to reading; only offered when everything is saved. */
  readonly onClose?: () => void;
  /** It was opened with a button, by someone who wants to write. */
  readonly takesFocus?: boolean;
};

export function EntityEditor({ entity, editing, onClose, takesFocus = false }: EntityEditorProps) {
  const { draft, edit } = editing;
  useHotkeys([["mod+S", () => editing.saveDraft()]], [], true);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        editing.saveDraft();
      }}
    >
      <Stack>
        <VisuallyHidden>
          <Title order={1}>{entity.title}</Title>
        </VisuallyHidden>
        {editing.changedElsewhere ? (
          <Alert color={tone.plain} title="Changed elsewhere meanwhile">
            There is a newer version than the one you began from. When you save, you choose which one stays.
          </Alert>
        ) : null}
        <TitleField entity={entity} editing={editing} />
        <Textarea
          label="Description"
          placeholder="One or two sentences, shown in lists"
          value={shown(draft, entity, "description")}
          onChange={(event) => edit("description", event.currentTarget.value)}
          maxLength={limits.description}
          autosize
          minRows={2}
          maxRows={10}
        />
        <MarkdownEditor
          label="Content"
          placeholder="Write here…"
          value={shown(draft, entity, "content")}
          onChange={(value) => edit("content", value)}
          beginsWriting={onClose !== undefined}
          takesFocus={takesFocus}
        />
        <SaveBar editing={editing} {...(onClose ? { onClose } : {})} />
      </Stack>
    </form>
  );
}

/** One line of text in as many lines of the screen as it needs; Enter saves, as in any field of one line. */
function TitleField({ entity, editing }: Pick<EntityEditorProps, "entity" | "editing">) {
  const saveOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (!event.nativeEvent.isComposing) editing.saveDraft();
  };
  return (
    <Textarea
      label="Title"
      value={shown(editing.draft, entity, "title")}
      onChange={(event) => editing.edit("title", event.currentTarget.value.replaceAll(/\s*\n\s*/g, " "))}
      onKeyDown={saveOnEnter}
      maxLength={limits.title}
      error={editing.titleMissing ? "Enter a title" : null}
      autosize
      minRows={1}
      maxRows={6}
      classNames={{ input: "title-input" }}
    />
  );
}

function SaveBar({ editing, onClose }: Pick<EntityEditorProps, "editing" | "onClose">) {
  const unsaved = editing.draft !== null;
  return (
    <Group className="save-bar" justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {unsaved ? "Unsaved changes" : "Everything is saved"}
      </Text>
      <Group gap="xs">
        {unsaved ? (
          <Button variant="default" onClick={editing.discard}>
            Discard
          </Button>
        ) : null}
        {onClose && !unsaved ? (
          <Button variant="default" onClick={onClose}>
            Done
          </Button>
        ) : null}
        <Button type="submit" disabled={!unsaved || editing.titleMissing} loading={editing.isSaving && unsaved}>
          Save
        </Button>
      </Group>
    </Group>
  );
}
