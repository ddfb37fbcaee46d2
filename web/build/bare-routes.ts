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
    load: (id) => (path.resolve(id) === contract ? writeRoutes() : undefined),
  };
}

type Group = Readonly<Record<string, AnyRoute>>;

/** A call for each route takes less room than an object: there are hundreds of them, and every page fetches them. */
function writeRoutes(): string {
  const bare = (group: Group) =>
    Object.entries(group).map(([name, { method, path: address }]) => `${name}:${method}(${JSON.stringify(address)})`);
  const groups = Object.entries(routes).map(([name, group]) => `${name}:{${bare(group as Group).join()}}`);
  const methods = ["get", "post", "put", "patch"].map((name) => `const ${name}=(path)=>({method:"${name}",path});`);
  return `${methods.join("")}const del=(path)=>({method:"delete",path});export const routes={${groups.join()}};`.replaceAll(
    ":delete(",
    ":del(",
  );
}
