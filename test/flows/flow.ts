// What a flow is: what the models say, what the user does meanwhile, and what has to be there in the end, on every protocol.

import type { Run } from "../../src/domain/run/run.ts";
import type { Death } from "../helpers/dying-journal.ts";
import type { RoleRequest, SlowScript } from "../helpers/role-script.ts";
import type { LabReply } from "../lab/lab-protocol.ts";
import type { LabEntry } from "../lab/ledger.ts";

/** What a flow may do beside letting its models speak. */
export type Hands = {
  /** Says something to the run while it works. */
  readonly steer: (text: string) => Promise<void>;
};

/** The first answer at this moment, such as `planner 1.2`, comes like this instead. */
export type PlantedFault = { readonly at: string; readonly fault: (answer: LabReply) => LabReply };

export type Flow = {
  readonly name: string;
  readonly over?: Partial<Run>;
  readonly script: (hands: Hands) => SlowScript;
  /** Answers to what the run asks, one after the other. */
  readonly answers?: readonly string[];
  /** Each attempt dies here; the one after the last lives. */
  readonly deaths?: readonly Death[];
  /** Where the first provider says that its account is used up, once; another one answers. */
  readonly breaksAt?: string;
  readonly faults?: readonly PlantedFault[];
  /** `completed` unless told otherwise; `held` for at least so many minutes. */
  readonly end?: Partial<Run["state"]> | { readonly heldMinutes: number };
  /** What the user has in the end, each once: `document The hall`. */
  readonly written: readonly string[];
  /** A passage that has to stand in this document once. */
  readonly reads?: readonly [title: string, passage: string];
  /** Answers of each role, as often as they were asked for. */
  readonly asked: Readonly<Partial<Record<RoleRequest["role"], number>>>;
  /** What the lab's books say beside answers. */
  readonly lost?: readonly LabEntry["state"][];
  /** Requests that were refused for free and sent once more in another form: one call of ours. */
  readonly resent?: number;
};

export const momentOf = ({ role, iteration, turn }: RoleRequest): string => `${role} ${iteration}.${turn}`;
