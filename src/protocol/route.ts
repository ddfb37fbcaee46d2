// What a route is: its path, who may call it, what goes in and what comes out.
// The server mounts these, the client calls them, the route matrix and the OpenAPI page are made from them.
// The type requires a policy, so every route has one.

import type { z } from "zod";
import { limits } from "../domain/entity/limits.ts";
import type { ProjectRole, Scope } from "../domain/identity/identity.ts";

export type Policy =
  /** Anyone, signed in or not. */
  | { readonly kind: "public" }
  /** Anyone signed in; an API key needs the scope. */
  | { readonly kind: "user"; readonly scope: Scope }
  /** A member of the project in the path with at least this role. Strangers are told it does not exist. */
  | { readonly kind: "project"; readonly role: ProjectRole; readonly scope: Scope }
  /** Someone who manages this installation. */
  | { readonly kind: "admin"; readonly scope: Scope };

/** The policies that routes have, by what they let one do. */
export const anyone = { kind: "public" } as const;
export const read = { kind: "user", scope: "read" } as const;
export const act = { kind: "user", scope: "run" } as const;
export const manageSelf = { kind: "user", scope: "admin" } as const;
export const administer = { kind: "admin", scope: "admin" } as const;
export const viewProject = { kind: "project", role: "viewer", scope: "read" } as const;
export const editProject = { kind: "project", role: "editor", scope: "run" } as const;
export const ownProject = { kind: "project", role: "owner", scope: "run" } as const;
export const manageMembers = { kind: "project", role: "owner", scope: "admin" } as const;

export type Method = "get" | "post" | "patch" | "delete";

export type Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> = RouteSpec<Params, Query, Body, Result> & {
  readonly method: Method;
  /** In OpenAPI's notation: `/api/projects/{projectId}`. */
  readonly path: string;
  readonly tag: string;
  readonly status: 200 | 201;
  /** The most that a body may have. */
  readonly bodyBytes: number;
};

type RouteSpec<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType> = {
  readonly policy: Policy;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly result: Result;
  /** Left out: little for those who are not signed in, enough for any text but a document's content for others. */
  readonly bodyBytes?: number;
  /** 201 for a route that creates, else 200, unless it says otherwise. */
  readonly status?: 200 | 201;
  /** A POST that creates: it takes an `Idempotency-Key`, and the same key creates once. */
  readonly creates?: boolean;
  /** The answer holds a secret that is shown once and never stored. */
  readonly answersSecret?: boolean;
  /** Answers with a stream of server-sent events; `result` is the data of one. */
  readonly streams?: boolean;
};

/** Defines routes of one tag: `route("GET /api/me", { policy: read, summary: "Who is signed in", result: me })`. */
export const routesTagged =
  (tag: string) =>
  <
    Params extends z.ZodType = z.ZodUndefined,
    Query extends z.ZodType = z.ZodUndefined,
    Body extends z.ZodType = z.ZodUndefined,
    Result extends z.ZodType = z.ZodType,
  >(
    address: `${Uppercase<Method>} ${string}`,
    spec: RouteSpec<Params, Query, Body, Result>,
  ): Route<Params, Query, Body, Result> => {
    const [method = "", path = ""] = address.split(" ");
    const bodyBytes = spec.policy.kind === "public" ? limits.publicBodyBytes : limits.usualBodyBytes;
    return { status: spec.creates ? 201 : 200, bodyBytes, ...spec, method: method.toLowerCase() as Method, path, tag };
  };

// biome-ignore lint/suspicious/noExplicitAny: "a route of whatever types"; never handed to a caller
export type AnyRoute = Route<any, any, any, any>;

type Part<Name extends string, Schema, Value> = Schema extends z.ZodUndefined
  ? unknown
  : { readonly [N in Name]: Value };

/** What a caller of the route gives. */
export type RouteInput<R extends AnyRoute> =
  R extends Route<infer P, infer Q, infer B, z.ZodType>
    ? Part<"params", P, z.input<P>> & Part<"query", Q, z.input<Q>> & Part<"body", B, z.input<B>>
    : never;

/** What the handler of the route gets. */
export type RouteParsed<R extends AnyRoute> =
  R extends Route<infer P, infer Q, infer B, z.ZodType>
    ? Part<"params", P, z.output<P>> & Part<"query", Q, z.output<Q>> & Part<"body", B, z.output<B>>
    : never;

export type RouteResult<R extends AnyRoute> =
  R extends Route<z.ZodType, z.ZodType, z.ZodType, infer Out> ? z.output<Out> : never;
