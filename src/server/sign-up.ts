// Who may make an account, and as what: the first admin, the local owner who turns into the admin, or an ordinary person.

import type { Tx } from "../db/database.ts";
import { type Bootstrap, decideBootstrap } from "../domain/identity/bootstrap.ts";
import { AppError } from "../lib/app-error.ts";
import { claimLocalOwner, findLocalOwner, listAdmins, promoteFirst } from "../store/identity/first-admin.ts";
import { ensureFirstQuota } from "../store/identity/quota-store.ts";
import { findPerson } from "../store/identity/user-store.ts";
import { alreadyExists } from "./auth.ts";
import type { MountDeps } from "./mount.ts";

export type SignUpDeps = MountDeps & {
  readonly mode: "local" | "accounts";
  readonly signUp: "closed" | "open";
  /** Others than this machine can get here. */
  readonly isReachable: boolean;
  /** The first account sets limits for everyone (`firstQuota`). */
  readonly hasFirstQuota: boolean;
};

type Account = { readonly name: string; readonly email: string; readonly password: string };
type Request = Account & { readonly bootstrap_token?: string | undefined };

const refuse = (message: string) => new AppError("forbidden", message);
const closed = () => refuse("Accounts are made by the person who manages this installation");

export async function readBootstrap(tx: Tx, isReachable: boolean): Promise<Bootstrap> {
  return decideBootstrap(await listAdmins(tx), isReachable);
}

export async function describeSignUp({ db, mode, signUp: setting, isReachable }: SignUpDeps) {
  if (mode === "local") return { sign_up: false, bootstrap: "closed" as const };
  const bootstrap = await db.asSystem((tx) => readBootstrap(tx, isReachable));
  return { sign_up: setting === "open" || bootstrap !== "closed", bootstrap };
}

/** Makes the account and answers with its session. */
export async function signUp(deps: SignUpDeps, request: Request, headers: Headers): Promise<Response> {
  const { bootstrap_token: token, ...account } = request;
  const bootstrap = await deps.db.asSystem((tx) => readBootstrap(tx, deps.isReachable));
  const isAdmin = bootstrap === "open" || (token !== undefined && admits(deps, bootstrap, token));
  if (!isAdmin && deps.signUp === "closed")
    throw bootstrap === "token"
      ? refuse("The first account needs the link that the server printed at its start")
      : closed();
  if (isAdmin && (await deps.db.asSystem(findLocalOwner)) !== null) return claim(deps, account, headers);
  const { headers: answer, response } = await deps.auth.signUp(account, headers);
  const isFirst = isAdmin && (await deps.db.asSystem((tx) => becomeFirst(deps, tx, response.user.id)));
  if (!isFirst && deps.signUp === "closed") {
    // Someone else was first, after we looked.
    await (await deps.auth.context).internalAdapter.deleteUser(response.user.id);
    throw closed();
  }
  return new Response(null, { headers: answer });
}

async function becomeFirst({ hasFirstQuota }: SignUpDeps, tx: Tx, userId: string): Promise<boolean> {
  const isFirst = await promoteFirst(tx, userId);
  if (isFirst && hasFirstQuota) await ensureFirstQuota(tx);
  return isFirst;
}

function admits({ auth }: SignUpDeps, bootstrap: Bootstrap, token: string): boolean {
  if (bootstrap === "closed") throw refuse("This installation has an admin already; sign in instead");
  if (!auth.bootstrapToken.isIt(token))
    throw refuse("The token is wrong; copy the link that the server printed at its start");
  return true;
}

/** Hashing takes long and is done before the transaction. */
async function claim(
  { db, auth, env, hasFirstQuota }: SignUpDeps,
  account: Account,
  headers: Headers,
): Promise<Response> {
  const { name, email, password } = account;
  const passwordHash = await (await auth.context).password.hash(password);
  const isClaimed = await db.asSystem(async (tx) => {
    if ((await findPerson(tx, { email })) !== null) throw alreadyExists();
    if (hasFirstQuota) await ensureFirstQuota(tx);
    return claimLocalOwner(tx, { name, email, passwordHash, accountId: env.newId() });
  });
  if (!isClaimed) throw closed();
  return auth.api.signInEmail({ body: { email, password }, headers, asResponse: true });
}
