// The same Idempotency-Key does a thing once, for as long as this process lives. (`homework serve` keeps its keys in the database.)

import { AppError } from "../../lib/app-error.ts";

const keysMax = 1_000;

export function rememberAnswers(): <T extends object>(
  key: string,
  request: string,
  act: () => Promise<T>,
) => Promise<T> {
  const known = new Map<string, { readonly request: string; readonly answer: Promise<object> }>();
  return async <T extends object>(key: string, request: string, act: () => Promise<T>) => {
    const before = known.get(key);
    if (before !== undefined && before.request !== request)
      throw new AppError("idempotency_mismatch", "This Idempotency-Key came with a different request before");
    if (before !== undefined) return (await before.answer) as T;
    const answer = act();
    known.set(key, { request, answer });
    if (known.size > keysMax) known.delete(known.keys().next().value ?? "");
    // What failed was not done, and may be tried again.
    answer.catch(() => known.delete(key));
    return answer;
  };
}
