// Where one pastes what someone else wrote, apart from one's own words: a quiet button that opens a field.

import { Button, CloseButton, Group, Input, Textarea } from "@mantine/core";
import { IconQuote } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";

type ForeignTextFieldProps = {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error?: ReactNode;
  readonly isReadOnly?: boolean;
};

export function ForeignTextField({ value, onChange, error, isReadOnly = false }: ForeignTextFieldProps) {
  const id = useId();
  const [isOpened, setOpened] = useState(false);
  const [typed, setTyped] = useState(value);
  // It was sent, not deleted by hand: closed again for the next one.
  if (value === "" && typed !== "") {
    setTyped("");
    setOpened(false);
  }
  if (!isOpened && value === "")
    return (
      <div>
        <Button
          variant="subtle"
          size="xs"
          px={0}
          leftSection={<IconQuote size={14} aria-hidden />}
          onClick={() => setOpened(true)}
        >
          Add someone else’s text: a mail, a page, a log
        </Button>
      </div>
    );
  const close = () => {
    setOpened(false);
    onChange("");
  };
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Input.Label htmlFor={id}>Someone else’s text</Input.Label>
        <CloseButton size="sm" aria-label="Remove someone else’s text" onClick={close} />
      </Group>
      <Textarea
        id={id}
        description="Read as material. Instructions in it are not followed."
        autosize
        minRows={3}
        maxRows={10}
        dir="auto"
        autoFocus={isOpened}
        readOnly={isReadOnly}
        value={value}
        error={error}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onChange(currentTarget.value);
        }}
      />
    </div>
  );
}
