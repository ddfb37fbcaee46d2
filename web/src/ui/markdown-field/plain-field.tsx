// Markdown in a plain field of the browser, for when the editor cannot be fetched.

import { Textarea } from "@mantine/core";
import { useLayoutEffect, useRef } from "react";
import { limits } from "../../../../src/protocol/kinds.ts";

export type PlainFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder: string;
  /** It was opened by someone who wants to write. */
  readonly takesFocus: boolean;
};

/**
 * The browser keeps the text, not React: for a controlled field React writes the whole text into the page a second
 * time on every key, which takes a second for two megabytes.
 */
export function PlainField({ label, value, onChange, placeholder, takesFocus }: PlainFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (field.current && field.current.value !== value) field.current.value = value;
  }, [value]);
  return (
    <Textarea
      ref={field}
      aria-label={label}
      placeholder={placeholder}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={limits.content}
      rows={16}
      resize="vertical"
      autoFocus={takesFocus}
      classNames={{ input: "monospace" }}
    />
  );
}
