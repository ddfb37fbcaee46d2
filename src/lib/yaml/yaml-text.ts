// Where a reader of YAML stands in its text: lines, columns, blanks and comments. It only goes forward, so a text costs its length.

/** Thrown inside the reader only; `parseYaml` turns it into a value. */
export class YamlFault extends Error {
  /** Offset into the text. */
  readonly at: number;

  constructor(at: number, why: string) {
    super(why);
    this.name = "YamlFault";
    this.at = at;
  }
}

const spaces = / +/y;
const blanks = /[ \t]+/y;
const marker = /(?:---|\.\.\.)(?=[ \t\n]|$)/y;

export const isBlank = (character: string): boolean => character === " " || character === "\t";

export class YamlText {
  readonly text: string;
  at = 0;
  #lineStart = 0;

  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  get isEnd(): boolean {
    return this.at >= this.text.length;
  }

  get isEndOfLine(): boolean {
    return this.isEnd || this.text[this.at] === "\n";
  }

  next(offset = 0): string {
    return this.text[this.at + offset] ?? "";
  }

  /** A blank, the end of a line or of the text. */
  isGap(offset: number): boolean {
    const next = this.next(offset);
    return next === "" || next === "\n" || isBlank(next);
  }

  fault(why: string, at = this.at): never {
    throw new YamlFault(at, why);
  }

  /** What a sticky expression matches here is taken; null: nothing. */
  match(form: RegExp): string | null {
    form.lastIndex = this.at;
    const found = form.exec(this.text)?.[0] ?? null;
    this.at += found?.length ?? 0;
    return found;
  }

  take(character: string): boolean {
    if (this.next() !== character) return false;
    this.at += 1;
    return true;
  }

  skipBlanks(): void {
    this.match(blanks);
  }

  /** What is left of the line is taken. */
  restOfLine(): string {
    const end = this.text.indexOf("\n", this.at);
    const from = this.at;
    this.at = end === -1 ? this.text.length : end;
    return this.text.slice(from, this.at);
  }

  nextLine(): void {
    this.restOfLine();
    this.at = Math.min(this.at + 1, this.text.length);
    this.#lineStart = this.at;
  }

  mark(): { readonly at: number; readonly lineStart: number } {
    return { at: this.at, lineStart: this.#lineStart };
  }

  back(mark: { readonly at: number; readonly lineStart: number }): void {
    this.at = mark.at;
    this.#lineStart = mark.lineStart;
  }

  /** `---` or `...` at the beginning of a line. */
  isMarker(): boolean {
    if (this.column > 0) return false;
    marker.lastIndex = this.at;
    return marker.test(this.text);
  }

  /** What is left of the line may be blank or a comment, and is taken. */
  requireEndOfLine(): void {
    const from = this.at;
    this.skipBlanks();
    if (this.next() === "#" && this.at > from) this.restOfLine();
    if (!this.isEndOfLine) this.fault("Something stands behind the end of this value.");
  }

  /**
   * From the end of a line to where something begins; stays where something does. Its column; -1: nothing follows. In a flow collection
   * indentation means nothing, so tabs may indent its lines.
   */
  toContent(place: "block" | "flow" = "block"): number {
    for (;;) {
      if (this.column === 0) this.match(spaces);
      const isTab = this.next() === "\t";
      this.skipBlanks();
      if (this.isEnd || this.isMarker()) return -1;
      if (this.next() === "#") this.#requireBlankBefore();
      else if (!this.isEndOfLine) {
        if (isTab && place === "block") this.fault("A tab stands where spaces are needed.");
        return this.column;
      }
      this.nextLine();
    }
  }

  #requireBlankBefore(): void {
    if (this.column > 0 && !isBlank(this.next(-1))) this.fault("A comment begins behind a space.");
  }

  /**
   * From the end of a line to the next one that is not blank, if it is deeper than `parent` and no comment. How many lines it went;
   * 0: it stays, for there is none.
   */
  toDeeperLine(parent: number): number {
    const before = this.mark();
    for (let lines = 1; !this.isEnd; lines++) {
      this.nextLine();
      this.match(spaces);
      const { column } = this;
      this.skipBlanks();
      if (this.isEnd || this.next() === "#" || this.isMarker()) break;
      if (this.isEndOfLine) continue;
      if (column <= parent) break;
      return lines;
    }
    this.back(before);
    return 0;
  }
}

/** How lines of one value are joined: one break is a space, more of them are one less. */
export const joinLines = (breaks: number): string => (breaks === 1 ? " " : "\n".repeat(breaks - 1));
