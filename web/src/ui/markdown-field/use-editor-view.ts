// The editor in its place on the page: made with the component, told of texts that come from elsewhere, taken down with it.

import { EditorState, Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useLayoutEffect, useRef } from "react";
import { type EditorOptions, editorExtensions, fromPage } from "./editor-extensions.ts";
import { findChange } from "./text-change.ts";

type Options = EditorOptions & {
  readonly value: string;
  /** It was opened by someone who wants to write. */
  readonly takesFocus: boolean;
};

export function useEditorView(options: Options) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(options);
  /** The last text that page and editor agreed on. */
  const agreed = useRef(options.value);
  useLayoutEffect(() => {
    latest.current = options;
  });
  useLayoutEffect(() => {
    if (!place.current) return;
    const { value, takesFocus } = latest.current;
    const onChange = (text: string) => {
      agreed.current = text;
      latest.current.onChange(text);
    };
    agreed.current = value;
    const extensions = editorExtensions({ ...latest.current, onChange });
    const made = new EditorView({ parent: place.current, state: EditorState.create({ doc: value, extensions }) });
    view.current = made;
    if (takesFocus) made.focus();
    return () => {
      view.current = null;
      made.destroy();
    };
  }, []);
  // In the layout phase: later, a key pressed meanwhile would be taken back.
  useLayoutEffect(() => {
    if (!view.current || options.value === agreed.current) return;
    agreed.current = options.value;
    takeText(view.current, options.value);
  }, [options.value]);
  return { place, view };
}

/** Only what differs is replaced, so that the cursor stays where it was. It is no step of one's own to undo. */
function takeText(view: EditorView, text: string): void {
  const changes = findChange(view.state.doc.toString(), view.state.toText(text).toString());
  if (!changes) return;
  view.dispatch({ changes, annotations: [fromPage.of(true), Transaction.addToHistory.of(false)] });
}
