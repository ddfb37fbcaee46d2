// A page whose code is fetched when it is first visited.
// The router reloads the tab when a module cannot be fetched, in case newer pages were built meanwhile. While the server
// is away that would end on the browser's own error page, so the server is asked first: then the failure says what it is. Where it is known
// to be away, nothing is fetched before it answers: some browsers remember a module that could not be fetched until the tab is reloaded.

import { lazyRouteComponent } from "@tanstack/react-router";
import { routes } from "../../../src/protocol/api.ts";
import { api } from "./api.ts";
import { isReachable } from "./reachability.ts";

// biome-ignore lint/suspicious/noExplicitAny: the router's own words for a module
export function lazyPage<Module extends Record<string, any>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  const loadAgain = async () => {
    await api(routes.instance.live, {});
    return load();
  };
  return lazyRouteComponent(() => (isReachable() ? load().catch(loadAgain) : loadAgain()), name);
}
