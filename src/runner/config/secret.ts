// A key that cannot be printed by accident: text, JSON and inspection show that there is one, and only `reveal` says what it is.

import { inspect } from "node:util";

const shown = "(secret)";

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}
