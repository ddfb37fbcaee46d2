// A field for markdown with a preview beside it. Saving is the page's business.

import { Tabs, Text, Textarea } from "@mantine/core";
import { useLayoutEffect, useRef, useState } from "react";
import { limits } from "../../../src/protocol/kinds.ts";
import { LazyMarkdown } from "./lazy-markdown.tsx";

type MarkdownEditorProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  /** Opened for writing, whatever is written already. */
  readonly beginsWriting?: boolean;
};

export function MarkdownEditor({ label, value, onChange, placeholder, beginsWriting = false }: MarkdownEditorProps) {
  const [tab, setTab] = useState<string | null>(value === "" || beginsWriting ? "write" : "preview");
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false}>
      <Tabs.List aria-label={label}>
        <Tabs.Tab value="write">Write</Tabs.Tab>
        <Tabs.Tab value="preview">Preview</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="write" pt="sm">
        <PlainField label={`${label} (markdown)`} value={value} onChange={onChange} placeholder={placeholder ?? ""} />
        <Text size="xs" c="dimmed" mt={4}>
          Markdown with tables, task lists and code. Ctrl+S saves.
        </Text>
      </Tabs.Panel>
      <Tabs.Panel value="preview" pt="sm">
        {value.trim() === "" ? <Text c="dimmed">Nothing written yet.</Text> : <LazyMarkdown text={value} />}
      </Tabs.Panel>
    </Tabs>
  );
}

/**
 * The browser keeps the text, not React: for a controlled field React writes the whole text into the page a second
 * time on every key, which takes a second for two megabytes.
 */
function PlainField({ label, value, onChange, placeholder }: Required<Omit<MarkdownEditorProps, "beginsWriting">>) {
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
      classNames={{ input: "monospace" }}
    />
  );
}
