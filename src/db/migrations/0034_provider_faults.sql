-- A run whose provider keeps failing in ways that cost something stops at its limits, too: one more reason to stop.

alter domain run_stop_reason drop constraint run_stop_reason_check;
alter domain run_stop_reason add constraint run_stop_reason_check check (value in ('max_iterations', 'running_time', 'cost', 'tokens',
  'tool_calls', 'no_progress', 'same_action', 'same_error', 'tool_missing', 'claim_rejected', 'provider_auth', 'provider_quota',
  'monthly_quota', 'provider_faults', 'paused'));
