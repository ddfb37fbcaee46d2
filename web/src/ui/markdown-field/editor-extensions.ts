// What the editor can do: markdown with lists that go on at Enter, undo, search in texts of any length, and formatting by
// keyboard. Tab is not bound: it leaves the field, as everywhere on the pages.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { highlighting } from "./highlighting.ts";
import { toggleBold, toggleItalic } from "./text-commands.ts";

export type EditorOptions = {
  readonly label: string;
  readonly placeholder: string;
  readonly lengthMax: number;
  /** Without it the content security policy stops the editor's own styles. */
  readonly nonce: string;
  readonly onChange: (text: string) => void;
};

/** Marks a text that came from the page: it is not reported back to it. */
export const fromPage = Annotation.define<true>();

export function editorExtensions(options: EditorOptions): Extension {
  return [
    EditorView.cspNonce.of(options.nonce),
    EditorView.contentAttributes.of({ "aria-label": options.label, spellcheck: "true", autocapitalize: "sentences" }),
    EditorView.lineWrapping,
    placeholder(options.placeholder),
    markdown({ base: markdownLanguage, completeHTMLTags: false }),
    highlighting,
    history(),
    search({ top: true }),
    EditorState.phrases.of(searchPhrases),
    keymap.of([
      { key: "Mod-b", run: toggleBold, preventDefault: true },
      { key: "Mod-i", run: toggleItalic, preventDefault: true },
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    limitLength(options.lengthMax),
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      const isOwn = transactions.some((one) => one.docChanged && one.annotation(fromPage) === undefined);
      if (docChanged && isOwn) options.onChange(state.doc.toString());
    }),
  ];
}

/** The search panel begins its labels in lower case, unlike the rest of the pages. */
const searchPhrases = {
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Regular expression",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  Replace: "Replace with",
};

/** What would make the text too long is left out, as in any field with a limit. */
function limitLength(lengthMax: number): Extension {
  return EditorState.changeFilter.of(
    ({ newDoc, startState }) => newDoc.length <= lengthMax || newDoc.length < startState.doc.length,
  );
}
