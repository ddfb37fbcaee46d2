// What the platform keeps in the props of a thing: where its text comes from, and which run it belongs to.

import type { Props } from "./entity.ts";

/** As someone wants the props of a thing to be, with the platform's mark as it is: an edit does not make a stranger's text one's own. */
export function keepMark(now: Props | undefined, wanted: Props): Props {
  const mark = now?.homework;
  return mark === undefined ? wanted : { ...wanted, homework: mark };
}

/** Of something whose text someone else wrote: it is read as a stranger's for good. */
export const foreignProps = { homework: { source: "web" } } as const satisfies Props;
