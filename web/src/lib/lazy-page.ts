// A page whose code is fetched when it is first visited.

import { lazyRouteComponent } from "@tanstack/react-router";
import { routes } from "../../../src/protocol/api.ts";
import { api } from "./api.ts";

// biome-ignore lint/suspicious/noExplicitAny: the router's own words for a module
export function lazyPage<Module extends Record<string, any>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => load().catch(explainFailure), name);
}

/**
 * The router reloads the tab when a module cannot be fetched, in case newer pages were built meanwhile. While the
 * server is away that would end on the browser's own error page, so then the failure says what it is.
 */
async function explainFailure(error: unknown): Promise<never> {
  await api(routes.instance.live, {});
  throw error;
}
