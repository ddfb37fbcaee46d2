// The facts of a run in one line: time, cost, checks, who works on it, and where.

import { Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import type { Run } from "../../../../../src/protocol/api.ts";
import { type RunView, runningMsAt } from "../../../../../src/protocol/run-view.ts";
import { projectQuery } from "../../../lib/data/projects.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { activeWords } from "../../../ui/run-words.ts";
import { Time } from "../../../ui/time.tsx";
import { wordsOf } from "../../../ui/wording.ts";
import { useRun } from "../run-context.tsx";
import { checksWords, costWithLimit } from "./fact-words.ts";
import { useNow } from "./use-now.ts";

export function RunFacts() {
  const { run, usage, view } = useRun();
  const nowMs = useNow(view.state.status === "running");
  const active = activeWords(runningMsAt(view, nowMs));
  const facts: readonly (readonly [string, ReactNode])[] = [
    ...(active === null ? [] : [["time", active] as const]),
    ...(isUntouched(run, view) ? [] : [["cost", costWithLimit(run, view, usage)] as const]),
    // Checks of what was taken back say nothing any more.
    ...(view.allChecks === 0 || run.is_undone ? [] : [["checks", checksWords(run, view)] as const]),
    // What is the same for most runs is told under Details.
    ...(run.project_ids.length === 0 ? [] : [["projects", <Projects key="projects" />] as const]),
    ...(run.engine === "planner" ? [] : [["engine", wordsOf(run.engine)] as const]),
    ["when", <When key="when" />],
  ];
  return (
    <Text size="sm" c="dimmed" component="div" className="breakable">
      {facts.map(([name, fact], at) => (
        <Fragment key={name}>
          {at === 0 ? null : " · "}
          {fact}
        </Fragment>
      ))}
    </Text>
  );
}

/** It waits for its first iteration: there is nothing to count yet. */
const isUntouched = ({ started_at: startedAt }: Pick<Run, "started_at">, { state }: RunView) =>
  state.status === "queued" && startedAt === null;

/** More than these are counted. */
const namedMax = 2;

function Projects() {
  const { run } = useRun();
  const found = useQueries({ queries: run.project_ids.slice(0, namedMax).map((id) => projectQuery(id)) });
  const more = run.project_ids.length - namedMax;
  return (
    <>
      {found.map(({ data }, at) =>
        data === undefined ? null : (
          <Fragment key={data.id}>
            {at === 0 ? null : ", "}
            <AnchorLink
              size="sm"
              underline="always"
              to="/projects/$projectId"
              params={{ projectId: data.id }}
              dir="auto"
            >
              {data.name}
            </AnchorLink>
          </Fragment>
        ),
      )}
      {more > 0 ? ` and ${more} more` : null}
    </>
  );
}

function When() {
  const { run, view, follows } = useRun();
  return (
    <>
      {run.completed_at ? (
        <>
          Ended <Time at={run.completed_at} />
        </>
      ) : (
        <>
          {isUntouched(run, view) ? "Queued" : "Started"} <Time at={run.started_at ?? run.created_at} />
        </>
      )}
      {follows ? (
        <>
          {" · "}Follows{" "}
          <AnchorLink size="sm" underline="always" to="/homework/runs/$runId" params={{ runId: follows.id }} dir="auto">
            {follows.title}
          </AnchorLink>
        </>
      ) : null}
      {run.forked_from ? (
        <>
          {" · "}forked from iteration {run.forked_from.iteration} of{" "}
          <AnchorLink
            size="sm"
            underline="always"
            to="/homework/runs/$runId"
            params={{ runId: run.forked_from.run_id }}
          >
            another run
          </AnchorLink>
        </>
      ) : null}
    </>
  );
}
