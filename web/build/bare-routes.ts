// Gives the pages the addresses of the HTTP contract without its schemas: a page calls a route by method and path and trusts the
// answer of its own server, so the schemas, and zod with them, would be 50 kB that it never runs.

import path from "node:path";
import type { Plugin } from "vite";
import { routes } from "../../src/protocol/api.ts";
import type { AnyRoute } from "../../src/protocol/route.ts";

const contract = path.resolve(import.meta.dirname, "../../src/protocol/api.ts");

export function bareRoutes(): Plugin {
  return {
    name: "bare-routes",
    apply: "build",
    load: (id) => (path.resolve(id) === contract ? `export const routes = ${JSON.stringify(stripRoutes())};` : undefined),
  };
}

type Group = Readonly<Record<string, AnyRoute>>;

function stripRoutes() {
  const bare = (group: Group) =>
    Object.fromEntries(Object.entries(group).map(([name, { method, path: address }]) => [name, { method, path: address }]));
  return Object.fromEntries(Object.entries(routes).map(([name, group]) => [name, bare(group as Group)]));
}
