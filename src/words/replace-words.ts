// Puts a translation into the source of a file: each message that it has becomes code that says the same in the other language.
// What it lacks stays as it is. Lines may move, meaning may not.

import { findMessages } from "./find-messages.ts";
import { type Message, type Part, parseText, type Range } from "./message.ts";

/** The text in the other language; null: it is not translated. */
export type Translate = (text: string) => string | null;

export type Wanted = { readonly language: string; readonly translate: Translate };

/** Null where nothing in the file is said in another way. */
export function replaceWords(file: string, source: string, wanted: Wanted): string | null {
  return replaceMessages(source, findMessages(file, source), wanted);
}

export function replaceMessages(source: string, messages: readonly Message[], wanted: Wanted): string | null {
  if (messages.length === 0) return null;
  const replaced = new Rewriting(source, messages, wanted).write([0, source.length]);
  return replaced === source ? null : replaced;
}

class Rewriting {
  readonly #source: string;
  readonly #messages: readonly Message[];
  readonly #wanted: Wanted;

  constructor(source: string, messages: readonly Message[], wanted: Wanted) {
    this.#source = source;
    this.#messages = messages;
    this.#wanted = wanted;
  }

  /** The code between two offsets, with every message inside of it replaced. */
  write([start, end]: Range, around?: Message): string {
    let written = "";
    let at = start;
    for (const message of this.#messages) {
      const [from, to] = message.at;
      if (message === around || from < at || to > end) continue;
      const replaced = this.#replace(message);
      if (replaced === null) continue;
      written += this.#source.slice(at, from) + replaced;
      at = to;
    }
    return written + this.#source.slice(at, end);
  }

  #replace(message: Message): string | null {
    if (message.place === "locale") return JSON.stringify(this.#wanted.language);
    const text = this.#wanted.translate(message.text);
    const parts = text === null ? null : parseText(text, message.slots);
    if (parts === null) return null;
    if (message.place === "children") return this.#writeChildren(parts, message);
    const expression = this.#writeExpression(parts, message);
    return message.place === "attribute" ? `{${expression}}` : expression;
  }

  #writeChildren(parts: readonly Part[], message: Message): string {
    return parts
      .map((part) => {
        if (part.kind === "words") return `{${JSON.stringify(part.words)}}`;
        const slot = message.slots[part.slot];
        if (part.kind === "element" && slot?.kind === "element")
          return (
            this.write(slot.open, message) + this.#writeChildren(part.parts, message) + this.write(slot.close, message)
          );
        if (slot?.kind === "sealed") return this.write(slot.at, message);
        return `{${this.#writeSlot(part, message)}}`;
      })
      .join("");
  }

  #writeExpression(parts: readonly Part[], message: Message): string {
    if (parts.every((part) => part.kind === "words")) return JSON.stringify(parts.map(({ words }) => words).join(""));
    const pieces = parts.map((part) =>
      part.kind === "words"
        ? part.words.replaceAll(/[\\`]|\$(?=\{)/g, "\\$&")
        : `\${${this.#writeSlot(part, message)}}`,
    );
    return `\`${pieces.join("")}\``;
  }

  #writeSlot(part: Part, message: Message): string {
    const slot = part.kind === "words" ? undefined : message.slots[part.slot];
    if (part.kind === "choice" && slot?.kind === "choice")
      return `(${this.write(slot.test, message)}) ? ${JSON.stringify(part.yes)} : ${JSON.stringify(part.no)}`;
    return slot?.kind === "value" ? this.write(slot.at, message) : '""';
  }
}
