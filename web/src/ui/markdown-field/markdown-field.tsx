// The field for markdown: an editor with its formatting buttons. Fetched when someone begins to write.

import { limits } from "../../../../src/protocol/kinds.ts";
import { readCspNonce } from "../../lib/csp-nonce.ts";
import "./markdown-field.css";
import { MarkdownToolbar } from "./markdown-toolbar.tsx";
import type { PlainFieldProps } from "./plain-field.tsx";
import { useEditorView } from "./use-editor-view.ts";

export function MarkdownField({ label, placeholder, value, onChange, takesFocus }: PlainFieldProps) {
  const { place, view } = useEditorView({
    label,
    placeholder,
    value,
    onChange,
    takesFocus,
    lengthMax: limits.content,
    nonce: readCspNonce(),
  });
  return (
    <div className="markdown-field">
      <MarkdownToolbar
        onUse={(command) => {
          if (!view.current) return;
          command(view.current);
          view.current.focus();
        }}
      />
      <div ref={place} />
    </div>
  );
}
