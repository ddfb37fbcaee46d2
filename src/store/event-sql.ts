// Events, and parts of them, that only the store can say, as SQL. Fields come from the one schema (src/domain/run/events.ts):
// one that is missing, or that this kind of event does not have, does not compile.

import type { EventOf, IterationMetrics, RunEventKind, Stamp } from "../domain/run/events.ts";

/** An expression for every field. They are pieces of our own statements, never anything from outside. */
type Expressions<T> = { readonly [Name in keyof T]: string };

const build = (fields: Readonly<Record<string, string>>): string =>
  `jsonb_build_object(${Object.entries(fields)
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(", ")})`;

/** A whole event. */
export const buildEvent = <Kind extends RunEventKind>(
  kind: Kind,
  fields: Expressions<Omit<EventOf<Kind>, "type">>,
): string => build({ type: `'${kind}'`, ...fields });

/** What every event of a change is stamped with. */
export const buildStamp = (fields: Expressions<Stamp>): string => build(fields);

/** What an iteration used; its last event says it too. */
export const buildMetrics = (fields: Expressions<IterationMetrics>): string => build(fields);
