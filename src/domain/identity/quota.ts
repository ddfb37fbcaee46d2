// What a person may use of the installation. Admins set it, for everyone or for one; null is no limit.

export type Quota = {
  /** All calls of models in a calendar month (UTC). */
  readonly monthlyMicroUsd: number | null;
  /** The cost limit of a run that names none. */
  readonly runMicroUsd: number | null;
  /** Models that may be named, besides those of the installation; null: any. */
  readonly models: readonly string[] | null;
  readonly runsAtOnce: number | null;
  /** Bytes of text in what the person has made, without the working notes of runs. */
  readonly storageBytes: number | null;
};

/**
 * For everyone, from the first account of an installation with accounts on, until an admin sets something else: nobody can spend the
 * operator's money without end or on any model that the operator's keys open.
 */
export const firstQuota: Quota = {
  monthlyMicroUsd: 50_000_000,
  runMicroUsd: 5_000_000,
  models: [],
  runsAtOnce: null,
  storageBytes: 1024 ** 3,
};

/** Of the models someone chose, those they may not: neither allowed nor what the installation uses anyway. */
export function findForbiddenModels(
  { models: allowed }: Pick<Quota, "models">,
  chosen: readonly string[],
  usual: readonly string[],
): readonly string[] {
  if (allowed === null) return [];
  return [...new Set(chosen)].filter((model) => !allowed.includes(model) && !usual.includes(model));
}
