// Selections are written into the text: `|` where the cursor is, `<` and `>` around what is selected.

import { EditorState, type StateCommand } from "@codemirror/state";
import { expect, test } from "vitest";
import { insertLink, toggleBold, toggleChecklist, toggleHeading, toggleItalic, toggleList } from "./text-commands.ts";

function check(command: StateCommand, before: string, after: string): void {
  const [from, to] = before.includes("|")
    ? [before.indexOf("|"), before.indexOf("|")]
    : [before.indexOf("<"), before.indexOf(">") - 1];
  let state = EditorState.create({ doc: before.replaceAll(/[|<>]/g, ""), selection: { anchor: from, head: to } });
  command({
    state,
    dispatch: (transaction) => {
      state = transaction.state;
    },
  });
  const { main } = state.selection;
  const text = state.doc.toString();
  const shown = main.empty
    ? `${text.slice(0, main.from)}|${text.slice(main.from)}`
    : `${text.slice(0, main.from)}<${text.slice(main.from, main.to)}>${text.slice(main.to)}`;
  expect(shown).toBe(after);
}

test.each([
  ["words become bold", toggleBold, "a <big> roof", "a **<big>** roof"],
  ["bold ends at the words, not at the blanks around them", toggleBold, "a< big >roof", "a **<big>** roof"],
  ["bold is taken away from outside", toggleBold, "a **<big>** roof", "a <big> roof"],
  ["bold is taken away from inside", toggleBold, "a <**big**> roof", "a <big> roof"],
  ["bold without words waits for them", toggleBold, "a |", "a **|**"],
  ["bold that was waiting is taken away", toggleBold, "a **|**", "a |"],
  ["italic leaves bold alone", toggleItalic, "**<big>**", "**_<big>_**"],
  ["italic is taken away", toggleItalic, "_<big>_", "<big>"],
  ["a line becomes a heading", toggleHeading, "Ro|of", "## Ro|of"],
  ["a heading becomes a line", toggleHeading, "# Ro|of", "Ro|of"],
  ["an empty line becomes a heading", toggleHeading, "|", "## |"],
  ["lines become a list, blank ones do not", toggleList, "<one\n\ntwo>", "- <one\n\n- two>"],
  ["a list becomes lines", toggleList, "<- one\n* two>", "<one\ntwo>"],
  ["a numbered list becomes a plain one", toggleList, "1. o|ne", "- o|ne"],
  ["what is missing in a list is added", toggleList, "<- one\ntwo>", "<- one\n- two>"],
  ["indentation stays", toggleList, "  o|ne", "  - o|ne"],
  ["a list becomes a checklist", toggleChecklist, "- o|ne", "- [ ] o|ne"],
  ["a checklist becomes a list", toggleList, "- [x] o|ne", "- o|ne"],
  ["a checklist becomes lines", toggleChecklist, "- [x] o|ne", "o|ne"],
  ["words become a link, its address is asked for", insertLink, "the <shop>", "the [shop](<https://>)"],
  ["an address becomes a link, its words are asked for", insertLink, "<https://a.b>", "[<text>](https://a.b)"],
  ["a link out of nothing asks for its words", insertLink, "|", "[<text>](https://)"],
])("%s", (_what, command, before, after) => check(command, before, after));
