// How many checks hold, as a ring: an arc for those that passed, one for those that failed, the rest pending.

import { type CheckTally, tallyWords } from "../../../src/protocol/words/check-count.ts";
import { checkRingArcs } from "./check-tally.ts";
import "./check-ring.css";

type Props = CheckTally & { readonly size?: number };

export function CheckRing({ size = 18, ...tally }: Props) {
  return (
    <svg
      className="check-ring"
      viewBox="0 0 20 20"
      width={size}
      height={size}
      role="img"
      aria-label={tallyWords(tally)}
    >
      <circle className="check-ring-track" cx="10" cy="10" r="8" />
      {checkRingArcs(tally).map(({ state, dash, offset }) => (
        <circle
          key={state}
          className={`check-ring-${state}`}
          cx="10"
          cy="10"
          r="8"
          pathLength="100"
          strokeDasharray={dash}
          strokeDashoffset={offset}
        />
      ))}
      {isWhole(tally) ? <path className="check-ring-mark" d="M6.5 10.3 9 12.8l4.6-5.3" /> : null}
    </svg>
  );
}

const isWhole = ({ passed, failed, pending }: CheckTally) => passed > 0 && failed + pending === 0;
