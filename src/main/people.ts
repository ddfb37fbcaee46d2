// The people of an installation straight from its database, for `homework user`: no server, no signing in. A person
// who can open the database can do all of this anyway.

import type { People, Person as ShownPerson } from "../cli/ports.ts";
import { requirePassword } from "../domain/identity/password.ts";
import { AppError } from "../lib/app-error.ts";
import { openJobQueue } from "../queue/pg-boss-queue.ts";
import { createAuth, loginLinkMinutes } from "../server/auth.ts";
import { createPerson } from "../server/routes/people-routes.ts";
import { setPerson } from "../server/shut-account.ts";
import { readBootstrap } from "../server/sign-up.ts";
import { type AuditEntry, writeAudit } from "../store/identity/audit-store.ts";
import { ensureFirstQuota } from "../store/identity/quota-store.ts";
import { findPerson, listPeople, type Person } from "../store/identity/user-store.ts";
import { findRunningServer, readSecret } from "./data-folder.ts";
import { realEnv } from "./env.ts";
import { ensureOwner } from "./local-owner.ts";
import { openInstallation } from "./open-database.ts";
import { hostOf } from "./origin.ts";
import type { ServeInput } from "./serve.ts";

const show = ({ createdAt, ...person }: Person): ShownPerson => ({ ...person, created_at: createdAt });

export async function openPeople({ config, logger, say }: ServeInput): Promise<People> {
  const running = await findRunningServer(config.data);
  const { db, close } = await openInstallation({ config, logger, say });
  const origin = config.public_url ?? running?.url ?? `http://${hostOf(config.host)}:${config.port}`;
  const auth = createAuth({
    db,
    secret: config.secret ?? readSecret(config.data),
    origin,
    env: realEnv,
  });
  const audit = (entry: Omit<AuditEntry, "actorId">) =>
    db.asSystem((tx) => writeAudit(tx, { actorId: null, ...entry }));

  async function get(id: string): Promise<Person> {
    const person = await db.asSystem((tx) => findPerson(tx, { id }));
    if (!person) throw new AppError("not_found", "There is no such account");
    return person;
  }

  return {
    list: async () => (await db.asSystem((tx) => listPeople(tx, { limit: 10_000 }))).items.map(show),
    create: async (person) => {
      requirePassword(person.password);
      const created = await db.asSystem(async (tx) => {
        if (config.accounts && (await readBootstrap(tx, true)) !== "closed") await ensureFirstQuota(tx);
        return createPerson(auth, tx, person);
      });
      await audit({ action: "user_created", target: `user:${created.id}` });
      return show(created);
    },
    loginLink: async (userId) => {
      if (userId === null && config.accounts)
        throw new AppError(
          "invalid_request",
          "With accounts on there is no local owner: name the person, see `homework user list`",
        );
      const person = userId === null ? await ensureOwner(db, auth) : await get(userId);
      await audit({ action: "login_link_made", target: `user:${person.id}` });
      const url = await auth.loginLink(person.email);
      const expiresAt = new Date(realEnv.now() + loginLinkMinutes * 60_000).toISOString();
      return { url, expires_at: expiresAt, is_served: running !== null || config.public_url !== null };
    },
    setDisabled: async (userId, disabled) => {
      const queue = await openJobQueue(db, (error) => logger.warn({ error }, "the queue has trouble"));
      const limits = { maxConcurrentRuns: config.max_concurrent_runs_per_user };
      const changed = await db
        .asSystem((tx) => setPerson(tx, { jobs: queue, limits, env: realEnv }, userId, { disabled }))
        .finally(() => queue.close());
      if (!changed) throw new AppError("not_found", "There is no such account");
      await audit({ action: "user_changed", target: `user:${userId}`, details: { disabled } });
      return show(changed.person);
    },
    setPassword: async (userId, password) => {
      const person = await get(userId);
      const { internalAdapter, password: hasher } = await auth.context;
      const hash = await hasher.hash(requirePassword(password));
      const accounts = await internalAdapter.findAccounts(userId);
      if (accounts.some((account) => account.providerId === "credential"))
        await internalAdapter.updatePassword(userId, hash);
      else await internalAdapter.createAccount({ userId, providerId: "credential", accountId: userId, password: hash });
      await internalAdapter.deleteUserSessions(userId);
      await audit({ action: "password_changed", target: `user:${userId}` });
      return show(person);
    },
    close,
  };
}
