// Words that stand in the database and in the code are the same: every list of words in a constraint is compared with the union that
// people's tables of words are made for. A reason, status or kind that is added to one alone fails here, by name.

import { expect, test } from "vitest";
import { workStates } from "../../src/domain/agent/work.ts";
import { writeStates } from "../../src/domain/change-set/staged-write.ts";
import { channelKinds, deliveryStates } from "../../src/domain/channel/channel.ts";
import { callKinds, callStates, chatEventTypes, messageStates } from "../../src/domain/chat/chat.ts";
import { entityKinds } from "../../src/domain/entity/kinds.ts";
import { importances, memoryTypes } from "../../src/domain/homr/context/memory.ts";
import { qualities } from "../../src/domain/homr/observe/observation.ts";
import { outcomeStatuses } from "../../src/domain/homr/outcome.ts";
import { activityTypes, interventionTypes } from "../../src/domain/homr/outcome-state.ts";
import { escalationStatuses } from "../../src/domain/homr/questions/escalation.ts";
import { taskMakers, taskStatuses } from "../../src/domain/homr/tasks/task.ts";
import { instanceRoles, projectRoles } from "../../src/domain/identity/identity.ts";
import { notifiedEvents } from "../../src/domain/notification.ts";
import { priceSources } from "../../src/domain/run/budget/price.ts";
import { iterationStatuses } from "../../src/domain/run/iteration-result.ts";
import { engines, runStatuses, writeModes } from "../../src/domain/run/run.ts";
import { stopReasons } from "../../src/domain/run/stop-reason.ts";
import { entryKinds } from "../../src/runs/ports/run-store.ts";
import { testDb } from "../helpers/test-db.ts";

const db = await testDb();

/** By table and column, or by domain. */
const unions: Readonly<Record<string, readonly string[]>> = {
  "auth_users.role": instanceRoles,
  "channel_deliveries.state": deliveryStates,
  "chat_calls.kind": callKinds,
  "chat_calls.state": callStates,
  "chat_events.type": chatEventTypes,
  "chat_messages.state": messageStates,
  entry_kind: entryKinds,
  "homework_run_changes.state": writeStates,
  "homework_run_iterations.status": iterationStatuses,
  "homework_run_works.state": workStates,
  "homr_activity_log.type": activityTypes,
  "homr_escalations.status": escalationStatuses,
  "homr_memories.importance": importances,
  "homr_memories.type": memoryTypes,
  "homr_observations.quality": qualities,
  "llm_usage_logs.priced_by": priceSources,
  "onto_changes.kind": ["project", ...entityKinds, "edge"],
  "onto_project_members.role": projectRoles,
  "outcome_interventions.type": interventionTypes,
  "outcome_tasks.made_by": taskMakers,
  "outcome_tasks.status": taskStatuses,
  "outcomes.status": outcomeStatuses,
  run_engine: engines,
  run_status: runStatuses,
  run_stop_reason: stopReasons,
  run_write_mode: writeModes,
  "user_channels.kind": channelKinds,
  "user_notification_preferences.event": notifiedEvents,
};

/** Words of these are SQL's own or a type without a list: nothing in the code says them to people. */
const ownWords: readonly string[] = [
  ...["chat_messages.role", "entry_state", "homework_run_checks.given_by", "homework_run_messages.kind"],
  ...["homr_context_items.kind", "homr_escalations.answered_by", "homr_escalations.trigger_type"],
  ...[
    "homr_observations.observed_by",
    "homr_turns.kind",
    "homr_turns.state",
    "llm_usage_logs.state",
    "onto_changes.op",
  ],
  ...["outcome_designs.made_by", "outcome_interventions.status", "outcome_task_attempts.state", "run_scope"],
];

const listed = /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/;
const { rows } = await db.admin.query<{ owner: string; isDomain: boolean; definition: string }>(`
  select coalesce(t.typname, r.relname) as owner, t.oid is not null as "isDomain", pg_get_constraintdef(c.oid) as definition
    from pg_constraint c left join pg_type t on t.oid = c.contypid left join pg_class r on r.oid = c.conrelid
   where c.connamespace = 'homework'::regnamespace and c.contype = 'c'`);
const inDatabase = new Map(
  rows.flatMap(({ owner, isDomain, definition }) => {
    const [, column, words = ""] = listed.exec(definition) ?? [];
    if (column === undefined) return [];
    return [[isDomain ? owner : `${owner}.${column}`, [...words.matchAll(/'([^']*)'/g)].map(([, word]) => word)]];
  }),
);

test.each(Object.entries(unions))("%s is the same in the database and in the code", (name, union) => {
  const advice = `change the list in the code and the constraint of ${name}, with a migration, together`;
  expect(inDatabase.get(name)?.toSorted(), advice).toEqual(union.toSorted());
});

test("every list of words in the database is looked at here", () => {
  const unknown = [...inDatabase.keys()].filter((name) => !Object.hasOwn(unions, name) && !ownWords.includes(name));
  expect(unknown.map((name) => `compare ${name} with its union in test/contract/unions.test.ts`)).toEqual([]);
  expect(ownWords.filter((name) => !inDatabase.has(name))).toEqual([]);
});
