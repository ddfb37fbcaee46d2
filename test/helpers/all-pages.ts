// Every item of a list that comes in pages.

type Page<Item> = { readonly items: readonly Item[]; readonly next_cursor: string | null };
type PageQuery = { readonly limit: number; readonly cursor?: string };

export async function allPages<Item>(get: (query: PageQuery) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<Item> = await get({ limit: 200, ...(cursor ? { cursor } : {}) });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}
