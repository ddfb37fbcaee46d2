// How long a lease has worked, as SQL for a run `r`: since it began, up to its worker's last sign of life, without the time that was lost
// with models. A try that brought no answer is lost, and so is a call of which nothing is heard; not while anything else was done.

/** A worker that froze or died is not thought to have worked on for longer than this after its last sign of life. */
const graceSeconds = 5;

const until = `least(run_now(), r.lease_seen_at + make_interval(secs => ${graceSeconds}))`;

const ofLease = (row: string) => `${row}.run_id = r.id and ${row}.iteration = r.iteration and ${row}.fence = r.fence`;
/** Under way, or cut off under way: how it would have gone on is not known. */
const isOpen = "(l.state <> 'settled' and l.error is null)";
const isLost = `(l.error is not null or (${isOpen} and l.silent_since is not null))`;
const spans = (from: string, to: string) =>
  `coalesce(range_agg(tstzrange(least(${from}, ${to}), ${to})), '{}'::tstzmultirange)`;

const lostSpans = `(select ${spans("case when l.error is null then l.silent_since else l.created_at end", `coalesce(l.settled_at, ${until})`)}
    from llm_usage_logs l where ${ofLease("l")} and ${isLost})
  - (select ${spans("j.began_at", "j.ended_at")} from journal_entries j where ${ofLease("j")} and j.state = 'done' and j.kind <> 'platform')
  - (select ${spans("l.created_at", `coalesce(l.settled_at, ${until})`)} from llm_usage_logs l where ${ofLease("l")} and ${isOpen} and l.silent_since is null)`;

/** Whole milliseconds; 0 where no worker has it. */
export const lostMs = `case when r.leased_at is not null and exists (select from llm_usage_logs l where ${ofLease("l")} and ${isLost})
  then (select coalesce(floor(sum(1000 * extract(epoch from upper(span) - lower(span)))), 0)
          from unnest((${lostSpans}) * tstzmultirange(tstzrange(r.leased_at, greatest(r.leased_at, ${until})))) as span)
  else 0 end`;

/** The same for what is left. */
export const leasedMs = `case when r.leased_at is null then 0
  else greatest(0, floor(1000 * extract(epoch from ${until} - r.leased_at)) - ${lostMs}) end`;
