// When runs are stopped for going round in circles, from the settings: workers keep to it, pages warn of it.

import type { BreakerLimits } from "../domain/run/breakers.ts";
import type { Config } from "./config-schema.ts";

export function breakersOf(config: Config): BreakerLimits {
  return {
    noProgress: config.breaker_no_progress,
    sameAction: config.breaker_same_action,
    backAndForth: config.breaker_back_and_forth,
    sameError: config.breaker_same_error,
    toolMisses: config.breaker_tool_missing,
    rejectedClaims: config.breaker_rejected_claims,
  };
}
