// Signing up, in and out; who one is; the one-time link.

import type { Context } from "hono";
import type { Database } from "../../db/database.ts";
import { type Actor, scopes } from "../../domain/identity/identity.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Me, routes } from "../../protocol/api.ts";
import { type AuditEntry, writeAudit } from "../../store/identity/audit-store.ts";
import { lastFeedSeq } from "../../store/notification/feed-store.ts";
import { actorOf } from "../actor.ts";
import { addressOf, limitedAddressOf } from "../client-address.ts";
import { tooMany } from "../guards.ts";
import { type MountDeps, mountPublic, mountUser } from "../mount.ts";
import { enterGate, type GateDeps, type PasswordTurns } from "../password-turns.ts";
import { type SignUpDeps, signUp } from "../sign-up.ts";

export type SessionDeps = SignUpDeps & GateDeps & { readonly passwords: PasswordTurns };

export function toMe(actor: Actor): Me {
  return {
    user: { id: actor.userId, name: actor.name, email: actor.email, role: actor.role },
    via: actor.via.kind,
    scopes: [...actor.scopes],
  };
}

const audit = (db: Database, entry: AuditEntry) => db.asSystem((tx) => writeAudit(tx, entry));

export function mountSessionRoutes(deps: SessionDeps): void {
  const { ofStrangers, ofKnown } = deps.passwords;
  mountPublic(deps, routes.identity.signIn, async ({ c, body }) => {
    needAccounts(deps);
    const attempt = enterGate(deps, c, body.email);
    const headers = authHeaders(c);
    const compare = () => deps.auth.api.signInEmail({ body, headers, asResponse: true });
    const answer = await (attempt.device === null
      ? ofStrangers(attempt.address, compare)
      : ofKnown(attempt.account, compare));
    if (!answer.ok) {
      await audit(deps.db, { actorId: null, action: "sign_in_failed", target: `email:${body.email.toLowerCase()}` });
      throw new AppError("wrong_credentials", "E-mail or password is wrong");
    }
    deps.signInGate.succeed(attempt);
    return welcome(deps, c, answer, "sign_in");
  });

  mountPublic(deps, routes.identity.signUp, async ({ c, body }) => {
    needAccounts(deps);
    const address = limitedAddressOf(c);
    if (!deps.signInLimiter.take(address)) throw tooMany();
    const answer = await ofStrangers(address, () => signUp(deps, body, authHeaders(c)));
    return welcome(deps, c, answer, "sign_up");
  });

  mountUser(deps, routes.identity.signOut, async ({ c, actor, tx }) => {
    if (actor.via.kind === "session") {
      const answer = await deps.auth.api.signOut({ headers: c.req.raw.headers, asResponse: true });
      passCookies(c, answer);
      await writeAudit(tx, { actorId: actor.userId, action: "sign_out", target: `session:${actor.via.id}` });
    }
    return { ok: true as const };
  });

  mountUser(deps, routes.identity.me, async ({ actor, tx }) => ({
    ...toMe(actor),
    feed_seq: await lastFeedSeq(tx, actor.userId),
  }));

  mountLoginLink(deps);
}

function needAccounts({ mode }: SessionDeps): void {
  if (mode === "accounts") return;
  throw new AppError(
    "forbidden",
    "There are no accounts here: sign in with the link that the server printed at its start",
  );
}

/** The library stores who signed in from where; the address is the socket's, not a header's. */
function authHeaders(c: Context): Headers {
  const headers = new Headers({ "x-homework-address": addressOf(c) });
  const agent = c.req.header("user-agent");
  if (agent) headers.set("user-agent", agent.slice(0, 300));
  return headers;
}

function passCookies(c: Context, answer: Response): void {
  for (const cookie of answer.headers.getSetCookie()) c.header("set-cookie", cookie, { append: true });
}

/** Hands the new session's cookie on and says whose it is; null, and no session, where the account has been shut. */
async function enter({ auth }: MountDeps, c: Context, answer: Response): Promise<Actor | null> {
  const cookie = answer.headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
  const headers = new Headers({ cookie });
  const actor = await actorOf(auth, headers);
  if (actor) {
    passCookies(c, answer);
    c.header("set-cookie", auth.devices.remember(c.req.header("cookie"), actor.email), { append: true });
  } else await auth.api.signOut({ headers });
  return actor;
}

async function welcome(deps: SessionDeps, c: Context, answer: Response, action: "sign_in" | "sign_up"): Promise<Me> {
  const actor = await enter(deps, c, answer);
  if (!actor) throw new AppError("forbidden", "This account has been shut");
  await audit(deps.db, { actorId: actor.userId, action, target: `user:${actor.userId}` });
  return { ...toMe(actor), scopes: [...scopes] };
}

/** The one-time link: signs in and goes to the first page, or says that the link is used up. */
function mountLoginLink(deps: MountDeps): void {
  deps.app.get("/auth/once", async (c) => {
    // Programs that only look whether a link works, such as chats and virus scanners, use nothing up.
    if (c.req.method === "HEAD") return c.body(null);
    const token = c.req.query("token") ?? "";
    const expired = () => c.redirect("/sign-in?error=link_expired", 303);
    if (!/^[A-Za-z]{32}$/.test(token)) return expired();
    const answer = await deps.auth.followLink(token, authHeaders(c));
    if (answer.headers.getSetCookie().length === 0) return expired();
    const actor = await enter(deps, c, answer);
    if (!actor) return expired();
    const details = { by: "one-time link" };
    await audit(deps.db, { actorId: actor.userId, action: "sign_in", target: `user:${actor.userId}`, details });
    return c.redirect("/", 303);
  });
}
