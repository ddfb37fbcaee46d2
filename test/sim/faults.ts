// What goes wrong, and how often: each seed switches each class on or off and draws its rate, so that rare combinations meet
// (swarm testing). A plan of one's own (the sweep's) answers the same questions.

import type { Random } from "./random.ts";

export const faultClasses = [
  "crash",
  "crash_in_transaction",
  "freeze",
  "slow",
  "lost_acknowledgement",
  "database_away",
  "duplicate_delivery",
  "clock_jump",
  "worker_clock_off",
  "lost_notice",
  "provider_error",
  "provider_hold",
  "provider_auth",
  "provider_quota",
  "provider_slow",
  "provider_away",
  "provider_refused",
  "provider_cut_off",
  "provider_outage",
  "engine_throws",
  "restart",
  "blackout",
  "cancel",
  "pause",
  "steer",
  "answer_twice",
  "resume",
  "fork",
] as const;
export type FaultClass = (typeof faultClasses)[number];

/** Where an actor waits for a port. `inside` a transaction it holds locks. */
export type Place = { readonly actor: string; readonly label: string; readonly inside: boolean };
export type PointFault = "none" | "crash" | "freeze" | "slow" | "away";

export type FaultPlan = {
  readonly atPoint: (place: Place) => PointFault;
  readonly losesAcknowledgement: (place: Place) => boolean;
  /** Whether a fault of this class happens now. */
  readonly strikes: (fault: FaultClass) => boolean;
  /** From now on nothing goes wrong any more. */
  readonly calm: () => void;
  readonly counts: Readonly<Record<FaultClass, number>>;
};

/** The most often each class happens when it is asked about; drawn between nothing and this. */
const ratesMax: Readonly<Record<FaultClass, number>> = {
  crash: 0.012,
  crash_in_transaction: 0.012,
  freeze: 0.02,
  slow: 0.03,
  lost_acknowledgement: 0.05,
  database_away: 0.03,
  duplicate_delivery: 0.1,
  clock_jump: 0.6,
  worker_clock_off: 0.8,
  lost_notice: 0.5,
  provider_error: 0.06,
  provider_hold: 0.12,
  provider_auth: 0.03,
  provider_quota: 0.03,
  provider_slow: 0.1,
  provider_away: 0.2,
  provider_refused: 0.06,
  provider_cut_off: 0.25,
  provider_outage: 0.3,
  engine_throws: 0.15,
  restart: 0.7,
  blackout: 0.5,
  cancel: 0.12,
  pause: 0.2,
  steer: 0.35,
  answer_twice: 0.6,
  resume: 0.9,
  fork: 0.5,
};

export const noCounts = (): Record<FaultClass, number> =>
  Object.fromEntries(faultClasses.map((fault) => [fault, 0])) as Record<FaultClass, number>;

const work = /^(?:entry|reserve|settle|intend|finish|writes|hear)/;

/** A seed's own mix. */
export function swarm(random: Random): FaultPlan {
  const rates = Object.fromEntries(
    faultClasses.map((fault) => [fault, random.chance(0.5) ? random.next() * ratesMax[fault] : 0]),
  ) as Record<FaultClass, number>;
  const counts = noCounts();
  let isCalm = false;
  const strikes = (fault: FaultClass): boolean => {
    const happens = random.chance(rates[fault]) && !isCalm;
    if (happens) counts[fault] += 1;
    return happens;
  };
  return {
    counts,
    strikes,
    calm: () => {
      isCalm = true;
    },
    atPoint: ({ inside, label }) => {
      if (strikes(inside ? "crash_in_transaction" : "crash")) return "crash";
      // Thrice as often in the middle of work: that is where someone who comes back too late does harm.
      if (strikes("freeze") || (work.test(label) && (strikes("freeze") || strikes("freeze")))) return "freeze";
      if (strikes("slow")) return "slow";
      return strikes("database_away") ? "away" : "none";
    },
    losesAcknowledgement: () => strikes("lost_acknowledgement"),
  };
}

/** Nothing goes wrong except what `over` says. */
export function quiet(over: Partial<Pick<FaultPlan, "atPoint" | "losesAcknowledgement" | "strikes">> = {}): FaultPlan {
  return {
    counts: noCounts(),
    strikes: () => false,
    calm: () => {},
    atPoint: () => "none",
    losesAcknowledgement: () => false,
    ...over,
  };
}
