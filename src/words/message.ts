// A message: words that a person reads, where they stand in a source file, and what is put into them there. Its text is the key of a
// translation: `{0}` is a value, `{0:one|many}` a choice between two words, `<0>…</0>` an element with words in it, `<0/>` one without.

/** From and to, as offsets in the source. */
export type Range = readonly [start: number, end: number];

export type Slot =
  | { readonly kind: "value"; readonly at: Range }
  | { readonly kind: "choice"; readonly test: Range }
  | { readonly kind: "element"; readonly open: Range; readonly close: Range }
  | { readonly kind: "sealed"; readonly at: Range };

export type Message = {
  readonly at: Range;
  readonly text: string;
  readonly slots: readonly Slot[];
  /** What has to stand there: children of an element, the value of an attribute, an expression, or the language itself (`"en"`). */
  readonly place: "children" | "attribute" | "expression" | "locale";
};

/** A text taken apart: words, and the slots in the order of the language. */
export type Part =
  | { readonly kind: "words"; readonly words: string }
  | { readonly kind: "value" | "sealed"; readonly slot: number }
  | { readonly kind: "choice"; readonly slot: number; readonly yes: string; readonly no: string }
  | { readonly kind: "element"; readonly slot: number; readonly parts: readonly Part[] };

const mark = /\{(\d+)(?::([^{}|]*)\|([^{}|]*))?\}|<(\/?)(\d+)(\/?)>/g;

/** Null where the text names a slot that its message does not have, leaves one out that is needed, or does not close an element. */
export function parseText(text: string, slots: readonly Slot[]): readonly Part[] | null {
  const open: Open = [{ slot: -1, parts: [] }];
  const used = new Set<number>();
  let from = 0;
  for (const found of text.matchAll(mark)) {
    const top = open.at(-1);
    const slot = Number(found[1] ?? found[5]);
    if (top === undefined || slots[slot] === undefined) return null;
    if (found.index > from) top.parts.push({ kind: "words", words: text.slice(from, found.index) });
    from = found.index + found[0].length;
    if (!place(found, slot, slots[slot], open)) return null;
    used.add(slot);
  }
  const [bottom] = open;
  if (open.length !== 1 || bottom === undefined) return null;
  if (from < text.length) bottom.parts.push({ kind: "words", words: text.slice(from) });
  // A language may do without a choice between two words, but not without a value or an element.
  return slots.every(({ kind }, slot) => kind === "choice" || used.has(slot)) ? bottom.parts : null;
}

type Open = { readonly slot: number; readonly parts: Part[] }[];

/** False where the mark does not fit its slot. */
function place(found: RegExpExecArray, slot: number, { kind }: Slot, open: Open): boolean {
  const [, value, yes, no, closes, , isSealed] = found;
  if (kind === "element") return value === undefined && !isSealed && (closes ? close(slot, open) : begin(slot, open));
  const isFitting = kind === "sealed" ? isSealed : value !== undefined && (yes === undefined) === (kind === "value");
  if (!isFitting) return false;
  const part: Part = kind === "choice" ? { kind, slot, yes: yes ?? "", no: no ?? "" } : { kind, slot };
  open.at(-1)?.parts.push(part);
  return true;
}

function begin(slot: number, open: Open): boolean {
  open.push({ slot, parts: [] });
  return true;
}

function close(slot: number, open: Open): boolean {
  if (open.length < 2 || open.at(-1)?.slot !== slot) return false;
  const parts = open.pop()?.parts ?? [];
  open.at(-1)?.parts.push({ kind: "element", slot, parts });
  return true;
}
