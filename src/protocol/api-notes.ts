// What changed in the API, for programs that call it: newest first. The API's description and docs/http-api.md show it.

const apiNotes: readonly { readonly version: string; readonly notes: readonly string[] }[] = [
  {
    version: "0.5.0",
    notes: [
      "`GET /api/models/settings` says which models were found, why, and at what price; `POST /api/models/test` makes one small call. Roles and keys (`PATCH /api/models/roles/{role}`, `…/keys/{provider}`) are changed on the computer that runs Homework only. `GET /api/quotas` shows admins the limits and what everyone uses.",
      "Outcomes, their tasks and HOMЯ have routes (`/api/outcomes`, `…/tasks`, `…/homr`, `/api/escalations`, `/api/memories`). Paths and fields are those of HOMЯ's design document, with fields in snake_case like everything else: `selectedOption` is `selected_option`, `resumedTasks` is `resumed_tasks`, `alignmentScore` is `alignment_score`. Times are ISO timestamps.",
      "`GET …/outcomes/{outcomeId}/stream` tells what happens to an outcome (`outcome_event`); `/api/live` takes the topic `outcome:…`, and the feed has `outcome_changed`.",
      "`GET /api/search` has a second list, `outcomes`: outcomes, and what HOMЯ asked and saw; `kind` takes `outcome`, `escalation` and `observation`.",
      "There are notifications `escalation`, `outcome_achieved` and `outcome_stopped`, with preferences of these names.",
      "An entry of an iteration's journal is called an entry, as a step is one of the plan: the event `step_recorded` is `entry_recorded` with `entry` instead of `step`, also in histories of earlier versions; `activity` of a run has `entries` and `entry_count` instead of `steps` and `step_count`.",
      "Events of runs are described field by field (`GET …/runs/{runId}`, its stream, `/api/live`), and their fields are in snake_case like everything else: `runningMs` is `running_ms`, `maxIterations` is `max_iterations`, `untilMs` is `until_ms`. Histories of earlier versions were renamed, too.",
      "Events say which run they are of (`run_id`). `run_started.config` has the names of the API's run (`scope`, `project_ids`, `budgets`, `permissions`, …); `run_completed` and `run_stopped` have `summary`, `stop_reason` and `report_ref`; `iteration_completed` has `metrics`; `run_waiting_on_user` has `reason` instead of `why`.",
      "Checks of a run (`completion_criteria`) say what they want in words (`about`).",
      "There is one notification about a thing (`about`, such as `run:…`): when there is more to tell of it, the same one is unread again, with a newer `created_at`. It is read by itself when its user acts on the run, or with `POST /api/notifications/visited`. There are none of what the user did: the event `canceled` and the preference of that name are gone.",
    ],
  },
];

/** As Markdown. */
export const describeApiNotes = (): string =>
  apiNotes
    .map(({ version, notes }) => [`**${version}**`, "", ...notes.map((note) => `- ${note}`)].join("\n"))
    .join("\n\n");
