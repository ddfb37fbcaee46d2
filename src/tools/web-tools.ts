// The tools that reach the web, as far as the settings want them.

import type { Tool } from "./tool.ts";
import type { Dial } from "./web/dial.ts";
import { usualPorts, type WebLimits, webLimits } from "./web/limits.ts";
import type { PageReader } from "./web/readable-page.ts";
import { braveSearch, type Fetch, type SearchProvider, searxngSearch, tavilySearch } from "./web/search-provider.ts";
import { makeWebFetch } from "./web-fetch.ts";
import { makeWebSearch } from "./web-search.ts";

export type WebSettings = {
  readonly webFetch: boolean;
  /** Null: the usual ones. */
  readonly webPorts: readonly number[] | null;
  readonly braveApiKey: string | null;
  readonly tavilyApiKey: string | null;
  readonly searxngUrl: string | null;
  readonly isSearchTrusted: boolean;
};

export type WebDeps = {
  readonly settings: WebSettings;
  readonly dial: Dial;
  /** For search providers only; pages are fetched through `dial`. */
  readonly fetch: Fetch;
  readonly limits?: WebLimits;
  /** Takes pages apart in processes of their own. */
  readonly reader: Pick<PageReader, "read">;
};

export function makeWebTools(deps: WebDeps): { readonly webFetch: Tool | null; readonly webSearch: Tool | null } {
  const { settings, dial, reader, limits = webLimits } = deps;
  const provider = providerOf(settings, deps.fetch);
  return {
    webFetch: settings.webFetch ? makeWebFetch({ dial, limits, reader, ports: settings.webPorts ?? usualPorts }) : null,
    webSearch: provider === null ? null : makeWebSearch({ provider, isTrusted: settings.isSearchTrusted }),
  };
}

/** The first that is configured. */
function providerOf(settings: WebSettings, fetch: Fetch): SearchProvider | null {
  if (settings.braveApiKey !== null) return braveSearch(settings.braveApiKey, fetch);
  if (settings.tavilyApiKey !== null) return tavilySearch(settings.tavilyApiKey, fetch);
  return settings.searxngUrl === null ? null : searxngSearch(settings.searxngUrl, fetch);
}
