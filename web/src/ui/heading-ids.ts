// Ids for the headings of a rendered text, made from their words, so that they stay the same while the text grows.

type Element = {
  readonly type: string;
  readonly tagName?: string;
  readonly value?: string;
  readonly children?: readonly Element[];
  properties?: Record<string, unknown>;
};

/** Of a long heading, as much as an address needs. */
const idMax = 60;

/** A rehype plugin; it runs after the sanitiser, which takes ids away. */
export function addHeadingIds(prefix: string) {
  return (tree: Element) => {
    const seen = new Map<string, number>();
    for (const heading of headingsOf(tree)) {
      const id = `${prefix}-${slugOf(textOf(heading)) || "untitled"}`;
      const times = (seen.get(id) ?? 0) + 1;
      seen.set(id, times);
      heading.properties = { ...heading.properties, id: times === 1 ? id : `${id}-${times}` };
    }
  };
}

/** Footnotes bring a heading of their own, which has an id and is for screen readers. */
function headingsOf(element: Element): readonly Element[] {
  if (/^h[1-6]$/.test(element.tagName ?? "")) return element.properties?.id === undefined ? [element] : [];
  return (element.children ?? []).flatMap(headingsOf);
}

function textOf({ value, children }: Element): string {
  return value ?? (children ?? []).map(textOf).join("");
}

function slugOf(words: string): string {
  const slug = words.toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]+/gu, "-");
  return slug.slice(0, idMax).replaceAll(/^-+|-+$/g, "");
}
