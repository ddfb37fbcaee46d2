// A field for markdown with a preview beside it. Saving is the page's business.

import { Tabs, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { limits } from "../../../src/protocol/kinds.ts";
import { LazyMarkdown } from "./lazy-markdown.tsx";

type MarkdownEditorProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
};

export function MarkdownEditor({ label, value, onChange, placeholder }: MarkdownEditorProps) {
  const [tab, setTab] = useState<string | null>(value === "" ? "write" : "preview");
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false}>
      <Tabs.List aria-label={label}>
        <Tabs.Tab value="write">Write</Tabs.Tab>
        <Tabs.Tab value="preview">Preview</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="write" pt="sm">
        <Textarea
          aria-label={`${label} (markdown)`}
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          maxLength={limits.content}
          rows={18}
          resize="vertical"
          classNames={{ input: "monospace" }}
        />
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
