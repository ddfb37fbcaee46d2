// A field for markdown with a preview beside it. Saving is the page's business.

import { Tabs, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { LazyMarkdown } from "./lazy-markdown.tsx";
import { PlainField } from "./markdown-field/plain-field.tsx";
import { RowsSkeleton } from "./skeletons.tsx";

/** The editor is larger than most pages, and only people who write need it. */
const MarkdownField = lazy(async () => {
  try {
    const { MarkdownField: field } = await import("./markdown-field/markdown-field.tsx");
    return { default: field };
  } catch {
    return { default: PlainField }; // The server is away, or newer pages were built meanwhile.
  }
});

type MarkdownEditorProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  /** Opened for writing, whatever is written already. */
  readonly beginsWriting?: boolean;
  /** It was opened by someone who wants to write. */
  readonly takesFocus?: boolean;
};

export function MarkdownEditor({ label, value, onChange, ...options }: MarkdownEditorProps) {
  const { placeholder = "", beginsWriting = false, takesFocus = false } = options;
  const [tab, setTab] = useState<string | null>(value === "" || beginsWriting ? "write" : "preview");
  const [hasWritten, setWritten] = useState(tab === "write");
  const show = (next: string | null) => {
    setTab(next);
    if (next === "write") setWritten(true);
  };
  return (
    <Tabs value={tab} onChange={show} keepMounted={false} keepMountedMode="display-none">
      <Tabs.List aria-label={label}>
        <Tabs.Tab value="write">Write</Tabs.Tab>
        <Tabs.Tab value="preview">Preview</Tabs.Tab>
      </Tabs.List>
      {/* Stays behind the preview once it was opened: what was done can still be undone afterwards. */}
      <Tabs.Panel value="write" pt="sm" keepMounted={hasWritten}>
        <Suspense fallback={<RowsSkeleton />}>
          <MarkdownField
            label={`${label} (markdown)`}
            value={value}
            onChange={onChange}
            placeholder={placeholder}
            takesFocus={takesFocus}
          />
        </Suspense>
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
