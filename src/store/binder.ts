// The values of a statement that is put together from parts: each part names its own, and gets back how to call them.

import { toJson } from "./json.ts";

export class Binder {
  readonly values: unknown[] = [];

  /** `type` as PostgreSQL calls it. */
  value(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  json(value: unknown): string {
    return this.value(toJson(value), "jsonb");
  }
}
