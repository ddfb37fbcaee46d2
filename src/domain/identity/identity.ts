// Who someone is and what they may do: roles in a project, scopes of an API key, and the order among them.

import type { Brand } from "../../lib/brand.ts";

export type UserId = Brand<string, "UserId">;

/** Weakest first: a later role includes the earlier ones. */
export const projectRoles = ["viewer", "editor", "owner"] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** `read` looks, `run` changes the user's things and starts runs, `admin` handles keys, members and people. */
export const scopes = ["read", "run", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** Characters of an API key's name, and the longest it may live. */
export const apiKeyLimits = { name: 60, days: 3650 } as const;

/** `admin` may manage the people of this installation; it gives no access to their projects. */
export const instanceRoles = ["user", "admin"] as const;
export type InstanceRole = (typeof instanceRoles)[number];

export type Actor = {
  readonly userId: UserId;
  readonly name: string;
  readonly email: string;
  readonly role: InstanceRole;
  /** How the request was signed in: a browser session has every scope, an API key those it was given. */
  readonly via: { readonly kind: "session"; readonly id: string } | { readonly kind: "key"; readonly id: string };
  readonly scopes: readonly Scope[];
};

export function includesRole(has: ProjectRole, needs: ProjectRole): boolean {
  return projectRoles.indexOf(has) >= projectRoles.indexOf(needs);
}

/** A wider scope includes the narrower ones: `admin` may do what `run` may. */
export function includesScope(has: readonly Scope[], needs: Scope): boolean {
  return has.some((scope) => scopes.indexOf(scope) >= scopes.indexOf(needs));
}
