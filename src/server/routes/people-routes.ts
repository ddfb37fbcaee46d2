// The people of the installation, what they use, and the audit log, for those who manage it. They get the platform's view of
// exactly these tables; no project of anyone becomes visible through it.

import type { Tx } from "../../db/database.ts";
import type { Quota } from "../../domain/identity/quota.ts";
import type { Env } from "../../lib/env.ts";
import { routes } from "../../protocol/api.ts";
import { listAudit, writeAudit } from "../../store/identity/audit-store.ts";
import {
  readOwnQuota,
  readOwnStorage,
  readQuota,
  readReservedThisMonth,
  readSpentThisMonth,
  setQuota,
} from "../../store/identity/quota-store.ts";
import {
  changePerson,
  findPerson,
  listPeople,
  type Person,
  type PersonChange,
} from "../../store/identity/user-store.ts";
import { listQuotas, type UserQuota } from "../../store/run-view/quota-store.ts";
import type { Auth } from "../auth.ts";
import type { ChatDesk } from "../chat-desk.ts";
import { type MountDeps, mountUser } from "../mount.ts";
import { type ShutDeps, setPerson } from "../shut-account.ts";
import { foundOrThrow, toWirePage } from "../wire.ts";

const toWirePerson = ({ createdAt, ...person }: Person) => ({ ...person, created_at: createdAt });

export type PeopleDeps = MountDeps & ShutDeps & { readonly env: Env; readonly desk: Pick<ChatDesk, "stop"> };

export function mountPeopleRoutes(deps: PeopleDeps): void {
  mountUser(deps, routes.identity.listUsers, async ({ tx, query }) =>
    toWirePage(await listPeople(tx, query), toWirePerson),
  );

  mountUser(
    deps,
    routes.identity.createUser,
    async ({ tx, actor, body }) => {
      const person = await createPerson(deps.auth, tx, body);
      await writeAudit(tx, { actorId: actor.userId, action: "user_created", target: `user:${person.id}` });
      return toWirePerson(person);
    },
    false,
  );

  mountUser(deps, routes.identity.updateUser, async ({ tx, actor, params, body, afterCommit }) => {
    const { person, chats } = foundOrThrow(await setPerson(tx, deps, params.userId, body), "account");
    afterCommit(() => chats.forEach(deps.desk.stop));
    const details: PersonChange = body;
    await writeAudit(tx, { actorId: actor.userId, action: "user_changed", target: `user:${person.id}`, details });
    return toWirePerson(person);
  });

  mountUser(deps, routes.identity.listAudit, async ({ tx, query: { actor_id: actorId, ...query } }) =>
    toWirePage(await listAudit(tx, { ...query, actorId }), ({ actorId: by, ...row }) => ({ ...row, actor_id: by })),
  );
}

/** What holds for every user. */
export type QuotaLimits = {
  readonly runsAtOnce: number;
  readonly liveStreams: number;
  readonly requestsPerMinute: number;
};

export function mountQuotas(deps: MountDeps, limits: QuotaLimits): void {
  const { runsAtOnce, liveStreams, requestsPerMinute } = limits;
  mountUser(deps, routes.identity.quotas, async ({ tx, query }) => ({
    limits: { runs_at_once: runsAtOnce, live_streams: liveStreams, requests_per_minute: requestsPerMinute },
    everyone: toWireLimits(await readOwnQuota(tx, null)),
    ...toWirePage(await listQuotas(tx, query), toWireQuota),
  }));

  mountUser(deps, routes.identity.setQuota, async ({ tx, actor, body }) => {
    const { user_id: userId, ...change } = body;
    if (userId !== null) foundOrThrow(await findPerson(tx, { id: userId }), "account");
    const set = await setQuota(tx, userId, {
      monthlyMicroUsd: toMicroUsd(change.monthly_usd),
      runMicroUsd: toMicroUsd(change.run_cost_usd),
      models: change.allowed_models,
      runsAtOnce: change.runs_at_once,
      storageBytes: change.storage_bytes,
    });
    const target = userId === null ? "everyone" : `user:${userId}`;
    await writeAudit(tx, { actorId: actor.userId, action: "quota_set", target, details: { ...change } });
    return toWireLimits(set);
  });

  mountUser(deps, routes.identity.myQuota, async ({ tx, actor: { userId } }) => {
    const quota = await readQuota(tx, userId);
    return {
      ...toWireLimits(quota),
      runs_at_once: quota.runsAtOnce ?? runsAtOnce,
      cost_usd_this_month: (await readSpentThisMonth(tx, userId)) / dollars,
      reserved_usd: (await readReservedThisMonth(tx, userId)) / dollars,
      storage_used_bytes: await readOwnStorage(tx),
    };
  });
}

const dollars = 1_000_000;

const toMicroUsd = (usd: number | null | undefined) => (typeof usd === "number" ? Math.round(usd * dollars) : usd);
const toUsd = (micro: number | null) => (micro === null ? null : micro / dollars);

const toWireLimits = ({ monthlyMicroUsd, runMicroUsd, models, runsAtOnce, storageBytes }: Quota) => ({
  monthly_usd: toUsd(monthlyMicroUsd),
  run_cost_usd: toUsd(runMicroUsd),
  allowed_models: models === null ? null : [...models],
  runs_at_once: runsAtOnce,
  storage_bytes: storageBytes,
});

const toWireQuota = ({
  id,
  name,
  activeRuns,
  queuedRuns,
  costMicroUsdDay,
  costMicroUsdMonth,
  unpricedCalls,
  costMicroUsdThisMonth,
  reservedMicroUsd,
  quota,
}: UserQuota) => ({
  id,
  name,
  quota: toWireLimits(quota),
  cost_usd_this_month: costMicroUsdThisMonth / dollars,
  reserved_usd: reservedMicroUsd / dollars,
  active_runs: activeRuns,
  queued_runs: queuedRuns,
  cost_usd_day: costMicroUsdDay / dollars,
  cost_usd_month: costMicroUsdMonth / dollars,
  unpriced_calls: unpricedCalls,
});

type NewPerson = Pick<Person, "name" | "email" | "role"> & { readonly password: string };

/** Used by the route and by `homework user create`; `tx` is the platform's. */
export async function createPerson(auth: Auth, tx: Tx, person: NewPerson): Promise<Person> {
  const { name, email, password } = person;
  const { user } = (await auth.signUp({ name, email, password }, new Headers())).response;
  const { internalAdapter } = await auth.context;
  await internalAdapter.deleteUserSessions(user.id); // The account is made for someone else, who has not signed in.
  await internalAdapter.updateUser(user.id, { emailVerified: true }); // The admin who makes the account vouches for the address.
  if (person.role === "admin") await changePerson(tx, user.id, { role: "admin" });
  return foundOrThrow(await findPerson(tx, { id: user.id }), "account");
}
