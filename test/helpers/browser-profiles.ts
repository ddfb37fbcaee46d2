// Browser profiles that tests use one after the other: emptied in between of what pages keep, so that only the cache stays warm.

import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";

type MakeProfile = (origin: string, options: BrowserContextOptions) => Promise<BrowserContext>;

type Profile = {
  readonly context: BrowserContext;
  /** Stays open, so that the process of the profile's pages outlives each of them. */
  readonly keeper: Page;
};

export type TakenProfile = { readonly context: BrowserContext; readonly giveBack: () => Promise<void> };

/** How a profile may differ and still be used again; who asks for more gets one alone. */
const plainOptions = ["colorScheme", "storageState", "viewport"];

export function isPlain(options: BrowserContextOptions): boolean {
  return Object.keys(options).every((name) => plainOptions.includes(name));
}

export async function openProfile(context: BrowserContext): Promise<Profile> {
  const keeper = await context.newPage();
  await keeper.goto("/favicon.svg");
  return { context, keeper };
}

/** Each is a process, or two. */
const idleMax = 6;

/** Profiles without cookies that are idle, by origin and options. */
export function profilePool(make: MakeProfile) {
  const idle = new Map<string, Profile[]>();
  return {
    take: async (origin: string, { storageState, ...options }: BrowserContextOptions): Promise<TakenProfile> => {
      const key = JSON.stringify([origin, options]);
      const waiting = idle.get(key) ?? [];
      idle.set(key, waiting);
      const profile = waiting.pop() ?? (await openProfile(await make(origin, options)));
      if (typeof storageState === "object") await profile.context.addCookies(storageState.cookies);
      return {
        context: profile.context,
        giveBack: async () => {
          await empty(profile);
          waiting.push(profile);
        },
      };
    },
    /** Between files: servers with an address of their own do not come back to it. */
    closeOldest: async () => {
      const all = [...idle.values()].flat();
      const oldest = new Set(all.slice(0, Math.max(0, all.length - idleMax)));
      for (const [key, waiting] of idle)
        idle.set(
          key,
          waiting.filter((profile) => !oldest.has(profile)),
        );
      for (const { context } of oldest) await context.close();
    },
  };
}

async function empty({ context, keeper }: Profile): Promise<void> {
  for (const page of context.pages()) if (page !== keeper) await page.close();
  await context.clearCookies();
  await keeper.evaluate("localStorage.clear()");
}
