// Lists that may be long: fetched page by page up to --limit, or all of it with --all.

import { type Command, Option } from "commander";
import { limits } from "../protocol/kinds.ts";
import { wholeNumber } from "./options.ts";
import type { Output } from "./output.ts";
import type { Column } from "./table.ts";

export type ListOptions = { readonly limit: number; readonly all?: true };

/** One answer of the API. */
type Page<Item> = { readonly items: readonly Item[]; readonly next_cursor: string | null };
export type FetchPage<Item> = (query: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Item>>;

/** What a list may bring into memory at most, even with --all: about 100 MB of entities. */
const itemsMax = 100_000;

export function withListOptions(command: Command): Command {
  return command
    .option("-n, --limit <count>", "how many to show", wholeNumber(1, itemsMax), limits.pageDefault)
    .addOption(new Option("-a, --all", "show all of them").conflicts("limit"));
}

export async function fetchList<Item>(
  options: ListOptions,
  fetchPage: FetchPage<Item>,
): Promise<{ readonly items: readonly Item[]; readonly has_more: boolean }> {
  const wanted = options.all ? itemsMax : options.limit;
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(limits.pageMax, wanted - items.length);
    const page: Page<Item> = await fetchPage({ limit, ...(cursor === null ? {} : { cursor }) });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null && items.length < wanted);
  return { items, has_more: cursor !== null };
}

export async function showList<Item>(
  output: Output,
  options: ListOptions,
  fetchPage: FetchPage<Item>,
  shown: { readonly columns: (items: readonly Item[]) => readonly Column<Item>[]; readonly nothing: string },
): Promise<void> {
  const list = await fetchList(options, fetchPage);
  output.data(list, () => (list.items.length === 0 ? "" : output.table(list.items, shown.columns(list.items))));
  if (list.items.length === 0) output.say(shown.nothing);
  if (list.has_more) output.say("There are more. See them with --all or a higher --limit.");
}
