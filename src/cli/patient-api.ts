// The API for commands that follow a run or an outcome for hours. A GET that fails because the database is away is sent again, so that
// the command does not end. Requests that change something are sent once.

import { errorCodes } from "../lib/app-error.ts";
import { ApiError } from "../protocol/api-error.ts";
import type { AnyRoute } from "../protocol/route.ts";
import type { ApiInvocation } from "./invocation.ts";

/** Waits before the second try, the third and so on. Later tries wait as long as the last. */
const waitsMs = [1_000, 2_000, 5_000, 15_000] as const;
/** About ten minutes. */
const triesMax = 42;

export function withPatience(given: ApiInvocation): ApiInvocation {
  const { api, host, output } = given;
  return {
    ...given,
    api: async (route: AnyRoute, input, options) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await api(route, input, options);
        } catch (thrown) {
          if (route.method !== "get" || tries === triesMax || !mayWorkLater(thrown)) throw thrown;
          if (tries === 1) output.warn(`${thrown.message}. Trying again.`);
          await host.env.sleep(waitsMs[tries - 1] ?? waitsMs[3], host.stop);
        }
      }
    },
  };
}

const mayWorkLater = (thrown: unknown): thrown is ApiError =>
  thrown instanceof ApiError &&
  thrown.code in errorCodes &&
  errorCodes[thrown.code as keyof typeof errorCodes].retry === "backoff";
