// The wall clock in nanoseconds, for ids of agent runs and bus messages. Between two milliseconds of the system's clock it goes on with
// the steady one; when the two come apart (the clock was set), the system's clock wins.

const nanosPerMs = 1_000_000n;
/** The steady clock and the millisecond it is compared with are read one after the other, and a busy process may wait in between. */
const apartMaxNs = 5n * nanosPerMs;

export function nanoClock(): () => bigint {
  let offset = wallNow() - process.hrtime.bigint();
  return () => {
    const steady = process.hrtime.bigint();
    const wall = wallNow();
    const apart = steady + offset - wall;
    if (apart > apartMaxNs || apart < -apartMaxNs) offset = wall - steady;
    return steady + offset;
  };
}

const wallNow = () => BigInt(Date.now()) * nanosPerMs;
