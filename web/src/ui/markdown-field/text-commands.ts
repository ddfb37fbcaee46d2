// What the formatting buttons do to markdown: marks around words, markers before lines, links. No page is needed.

import type { ChangeSpec, Line, StateCommand } from "@codemirror/state";
import { EditorSelection, type EditorState } from "@codemirror/state";

/** Puts a mark on both sides of what is selected, or takes it away again. */
const toggleMark =
  (mark: string): StateCommand =>
  ({ state, dispatch }) => {
    const edit = state.changeByRange(({ from, to }) => {
      const marked = findMarked(state, mark, from, to);
      if (marked) return unwrap(marked.from, marked.to, mark.length);
      const words = trimRange(state, from, to);
      return {
        changes: [
          { from: words.from, insert: mark },
          { from: words.to, insert: mark },
        ],
        range: EditorSelection.range(words.from + mark.length, words.to + mark.length),
      };
    });
    dispatch(state.update(edit, { scrollIntoView: true, userEvent: "input.format" }));
    return true;
  };

export const toggleBold = toggleMark("**");
/** A star would be mistaken for half of a bold mark. */
export const toggleItalic = toggleMark("_");

/** The marks lie just inside of what is selected, or just outside. */
function findMarked(state: EditorState, mark: string, from: number, to: number) {
  const inside = state.sliceDoc(from, to);
  if (inside.length >= mark.length * 2 && inside.startsWith(mark) && inside.endsWith(mark)) return { from, to };
  const outside = { from: from - mark.length, to: to + mark.length };
  if (outside.from < 0 || outside.to > state.doc.length) return null;
  const before = state.sliceDoc(outside.from, from);
  const after = state.sliceDoc(to, outside.to);
  return before === mark && after === mark ? outside : null;
}

function unwrap(from: number, to: number, length: number) {
  return {
    changes: [
      { from, to: from + length },
      { from: to - length, to },
    ],
    range: EditorSelection.range(from, to - length * 2),
  };
}

/** Marks with a blank beside them mean nothing in markdown. */
function trimRange(state: EditorState, from: number, to: number) {
  const text = state.sliceDoc(from, to);
  if (text.trim() === "") return { from, to };
  return { from: from + text.length - text.trimStart().length, to: to - text.length + text.trimEnd().length };
}

type LineStyle = {
  readonly marker: string;
  /** A line that has this style already. */
  readonly has: RegExp;
  /** The markers that this one takes the place of, after the indentation. */
  readonly replaces: RegExp;
};

const anyBullet = /^(\s*)(?:[-*+] (?:\[[ x]\] )?|\d+[.)] )/i;

const toggleLines =
  ({ marker, has, replaces }: LineStyle): StateCommand =>
  ({ state, dispatch }) => {
    const lines = readSelectedLines(state);
    const isOff = lines.every(({ text }) => has.test(text));
    const changes = state.changes(lines.map((line) => markLine(line, replaces, isOff ? "" : marker)));
    const selection = state.selection.map(changes, 1);
    dispatch(state.update({ changes, selection, scrollIntoView: true, userEvent: "input.format" }));
    return true;
  };

function markLine({ from, text }: Line, replaces: RegExp, marker: string): ChangeSpec {
  const indent = /^\s*/.exec(text)?.[0].length ?? 0;
  const end = replaces.exec(text)?.[0].length ?? indent;
  return { from: from + indent, to: from + end, insert: marker };
}

/** Blank lines between the others stay blank. */
function readSelectedLines(state: EditorState): readonly Line[] {
  const lines = new Map<number, Line>();
  for (const { from, to } of state.selection.ranges) {
    const last = state.doc.lineAt(to).number;
    for (let number = state.doc.lineAt(from).number; number <= last; number++)
      lines.set(number, state.doc.line(number));
  }
  const filled = [...lines.values()].filter(({ text }) => text.trim() !== "");
  return filled.length === 0 ? [...lines.values()].slice(0, 1) : filled;
}

export const toggleHeading = toggleLines({ marker: "## ", has: /^\s*#{1,6} /, replaces: /^\s*#{1,6} / });
export const toggleList = toggleLines({ marker: "- ", has: /^\s*[-*+] (?!\[[ x]\] )/i, replaces: anyBullet });
export const toggleChecklist = toggleLines({ marker: "- [ ] ", has: /^\s*[-*+] \[[ x]\] /i, replaces: anyBullet });

const emptyAddress = "https://";

/** Makes a link and selects the part of it that is still to be written. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  const edit = state.changeByRange(({ from, to }) => {
    const selected = state.sliceDoc(from, to);
    const isAddress = /^https?:\/\/\S+$/.test(selected);
    const words = isAddress || selected === "" ? "text" : selected;
    const address = isAddress ? selected : emptyAddress;
    const missing = words === selected ? { at: words.length + 3, length: address.length } : { at: 1, length: 4 };
    return {
      changes: { from, to, insert: `[${words}](${address})` },
      range: EditorSelection.range(from + missing.at, from + missing.at + missing.length),
    };
  });
  dispatch(state.update(edit, { scrollIntoView: true, userEvent: "input.format" }));
  return true;
};
