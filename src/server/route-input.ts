// A route of the contract on the router, without a look at its caller: what came in is read by the route's own schemas, and the API description
// is told of it. Who may call it is checked by the callers of this file.

import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { z } from "zod";
import { AppError } from "../lib/app-error.ts";
import type { AnyRoute, RouteParsed } from "../protocol/route.ts";
import { invalidRequest } from "./error-answer.ts";
import { readJson } from "./read-json.ts";

/** Where a request keeps the path of the route that answers it, for the metrics. */
const routeKey = "route";

/** Pages, files and unknown paths count as one. */
export const routeOf = (c: Context): string => (c.get(routeKey) as string | undefined) ?? "other";

export async function readInput<R extends AnyRoute>(c: Context, route: R): Promise<RouteParsed<R> & object> {
  const params = route.params ? parse(route.params, c.req.param(), "path") : undefined;
  const query = parseQuery(c, route);
  const body = route.body ? parse(route.body, await readJson(c, route.bodyBytes), "body") : undefined;
  return { params, query, body } as unknown as RouteParsed<R> & object;
}

function parse(schema: z.ZodType, value: unknown, where: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // An id that is no id names nothing: the same answer as for one that does not exist.
  if (where === "path") throw new AppError("not_found", "There is nothing at this address");
  throw invalidRequest(where, parsed.error);
}

function parseQuery(c: Context, route: AnyRoute): unknown {
  if (!route.query) return undefined;
  const twice = Object.entries(c.req.queries()).find(([, values]) => values.length > 1);
  if (twice) throw new AppError("invalid_request", `query.${twice[0]}: given more than once`);
  return parse(route.query, c.req.query(), "query");
}

export function registerRoute(app: OpenAPIHono, route: AnyRoute, handler: (c: Context) => Promise<Response>): void {
  app.openAPIRegistry.registerPath(toOpenApi(route));
  app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ":$1"), (c: Context) => {
    c.set(routeKey, route.path);
    return handler(c);
  });
}

function toOpenApi(route: AnyRoute): RouteConfig {
  const type = route.streams ? "text/event-stream" : "application/json";
  const request = {
    ...(route.params ? { params: route.params } : {}),
    ...(route.query ? { query: route.query } : {}),
    ...(route.body ? { body: { required: true, content: { "application/json": { schema: route.body } } } } : {}),
  };
  return {
    method: route.method,
    path: route.path,
    tags: [route.tag],
    summary: route.summary,
    ...(route.policy.kind === "public" ? { security: [] } : { security: [{ key: [] }, { session: [] }] }),
    request: request as NonNullable<RouteConfig["request"]>,
    responses: { [route.status]: { description: "Done", content: { [type]: { schema: route.result } } } },
  };
}
