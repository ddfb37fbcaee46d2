// The part of an address after `?`: plain words, no JSON, so that links stay readable.

export type ListSearch = {
  /** The form for a new one is open. */
  readonly new?: true | undefined;
  /** Shows what is in the bin instead. */
  readonly bin?: true | undefined;
  readonly state?: string | undefined;
  readonly sort?: string | undefined;
  /** Of documents: also the working notes of runs. */
  readonly notes?: true | undefined;
};

/** No link of ours is longer. */
const searchMax = 20_000;

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text.slice(0, searchMax)));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)]))}`;
}

export function flagOf(value: unknown): true | undefined {
  return value === true || value === "true" ? true : undefined;
}

export function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Where to go after signing in: an address of this site, never of another one. */
export function safeReturn(address: string | undefined): string {
  return address?.startsWith("/") && !/^\/[/\\]/.test(address) ? address : "/";
}
