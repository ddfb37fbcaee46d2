// The characters of an HCL file: blanks, comments, names, texts in quotes, heredocs and numbers. It reports where something is wrong and
// never what stands there: that may be a key.

/** Thrown inside the parser only; `parseHcl` turns it into a value. */
export class HclFault extends Error {
  /** Offset into the text. */
  readonly at: number;

  constructor(at: number, why: string) {
    super(why);
    this.name = "HclFault";
    this.at = at;
  }
}

const nameForm = /[\p{L}_][\p{L}\p{N}_-]*/uy;
const numberForm = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const blanks = /(?:[ \t]|\r(?=\n))+/y;
const blanksAndLines = /(?:[ \t\n]|\r(?=\n))+/y;
const plainInQuotes = /[^"\\\n$%]+/y;
const heredocForm = /<<(-?)([\p{L}_][\p{L}\p{N}_-]*)[ \t]*\r?\n/uy;
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };
const noExpressions = "Expressions are not supported here. For the characters themselves write";

export class HclScanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The next character is this one, and is taken. */
  take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  next(): string | undefined {
    return this.text[this.at];
  }

  /** Spaces and comments; `lines`: also the ends of lines. */
  skip(lines: "lines" | "blanks"): void {
    const blank = lines === "lines" ? blanksAndLines : blanks;
    for (;;) {
      this.#match(blank);
      if (this.text.startsWith("/*", this.at)) this.#skipComment();
      else if (this.next() === "#" || this.text.startsWith("//", this.at)) this.#skipTo("\n");
      else return;
    }
  }

  #skipTo(mark: string): void {
    const end = this.text.indexOf(mark, this.at);
    this.at = end === -1 ? this.text.length : end;
  }

  #skipComment(): void {
    const end = this.text.indexOf("*/", this.at + 2);
    if (end === -1) throw new HclFault(this.at, "This comment does not end. Close it with */.");
    this.at = end + 2;
  }

  /** Null: no name stands here. */
  readName(): string | null {
    return this.#match(nameForm)?.[0] ?? null;
  }

  /** Null: no number stands here. */
  readNumber(): number | null {
    const start = this.at;
    const match = this.#match(numberForm);
    if (match === null) return null;
    const value = Number(match[0]);
    if (!Number.isFinite(value)) throw new HclFault(start, "This number is too large.");
    if (this.#match(nameForm) !== null || this.next() === ".")
      throw new HclFault(start, 'A number with anything behind it goes in quotes, such as "5m".');
    return value;
  }

  /** Null: no text begins here. */
  readText(): string | null {
    if (this.next() === '"') return this.#readQuoted();
    return this.text.startsWith("<<", this.at) ? this.#readHeredoc() : null;
  }

  #readQuoted(): string {
    const start = this.at++;
    let value = "";
    for (;;) {
      value += this.#match(plainInQuotes)?.[0] ?? "";
      const character = this.text[this.at];
      if (character === undefined || character === "\n")
        throw new HclFault(start, "This text does not end on its line. Close it with a quote.");
      if (character === '"') {
        this.at++;
        return value;
      }
      value += character === "\\" ? this.#readEscape() : this.#readTemplateSign();
    }
  }

  #readEscape(): string {
    const start = this.at;
    const letter = this.text[start + 1] ?? "";
    const simple = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
    if (simple !== undefined) {
      this.at += 2;
      return simple;
    }
    const digits = letter === "u" ? 4 : letter === "U" ? 8 : 0;
    const code = this.text.slice(start + 2, start + 2 + digits);
    if (digits === 0 || code.length !== digits || !/^[0-9a-fA-F]+$/.test(code))
      throw new HclFault(start, 'This escape is not known. Use \\n, \\r, \\t, \\", \\\\, \\uXXXX or \\UXXXXXXXX.');
    const point = Number.parseInt(code, 16);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
      throw new HclFault(start, "This escape does not stand for a character.");
    this.at += 2 + digits;
    return String.fromCodePoint(point);
  }

  /** `$` or `%`: a template begins with `${`, and `$${` stands for these two characters. */
  #readTemplateSign(): string {
    const sign = this.text[this.at] ?? "";
    if (this.text.startsWith(`${sign}${sign}{`, this.at)) {
      this.at += 3;
      return `${sign}{`;
    }
    if (this.text[this.at + 1] === "{") throw new HclFault(this.at, `${noExpressions} ${sign}${sign}{.`);
    this.at++;
    return sign;
  }

  #readHeredoc(): string {
    const start = this.at;
    const match = this.#match(heredocForm);
    if (match === null) throw new HclFault(start, "After << comes a word such as EOT, and then a new line.");
    const [, dash, mark = ""] = match;
    const lines: string[] = [];
    while (!this.isEnd) {
      const begin = this.at;
      this.#skipTo("\n");
      const line = this.text.slice(begin, this.at).replace(/\r$/, "");
      if (line.trim() === mark) return joinLines(dash === "-" ? withoutIndent(lines) : lines);
      lines.push(unescapeTemplates(line, begin));
      this.at++;
    }
    throw new HclFault(start, "This text does not end. Close it with the word behind <<, alone on a line.");
  }

  #match(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.at;
    const match = form.exec(this.text);
    if (match !== null) this.at += match[0].length;
    return match;
  }
}

function unescapeTemplates(line: string, begin: number): string {
  return line.replaceAll(/(\$\$|%%|\$|%)\{/g, (found, signs: string, offset: number) => {
    if (signs.length === 1) throw new HclFault(begin + offset, `${noExpressions} ${signs}${signs}{.`);
    return found.slice(1);
  });
}

function withoutIndent(lines: readonly string[]): readonly string[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const indent = filled.reduce((least, line) => Math.min(least, line.length - line.trimStart().length), Infinity);
  return lines.map((line) => (line.trim() === "" ? line.trimStart() : line.slice(indent)));
}

const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
