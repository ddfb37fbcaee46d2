// What the demo promises, and by what it wants to be measured: text of substance under named headings, not only titles.

import type { PlannerAnswer } from "../../domain/planner/answer.ts";
import { facetsOf } from "./choose-facets.ts";
import { count } from "./phrase.ts";
import type { Means } from "./plan-means.ts";
import type { Reading } from "./read-objective.ts";
import { overviewHeadings, overviewTitle, taskListTitle } from "./write-pages.ts";

export type Promised = Pick<PlannerAnswer, "deliverables" | "checks">;

/** Below what the pages have, above what a stub would have. */
const words = { overview: 250, research: 700, taskList: 120 } as const;
const tasksAtLeast = 5;

export function promise(reading: Reading, means: Means): Promised {
  const overview = overviewTitle(reading);
  const sides = facetsOf(reading);
  const document = { kind: "document_has", sources_at_least: 0 } as const;
  const ofTasks: PlannerAnswer["checks"] = means.may("create_task")
    ? [
        {
          id: "tasks-are-there",
          deliverable_id: "tasks",
          kind: "entity_count",
          entity: "task",
          at_least: tasksAtLeast,
        },
        {
          ...document,
          id: "tasks-are-explained",
          deliverable_id: "tasks",
          title_like: overview,
          headings: ["Tasks", "Order of work"],
          words_at_least: 0,
        },
      ]
    : [
        {
          ...document,
          id: "task-list-is-there",
          deliverable_id: "tasks",
          title_like: taskListTitle(reading),
          headings: ["Tasks"],
          words_at_least: words.taskList,
        },
      ];
  return {
    deliverables: [
      { id: "research", title: `Research notes on ${count(sides.length, "aspect")}` },
      {
        id: "tasks",
        title: means.may("create_task")
          ? `A project plan with at least ${tasksAtLeast} tasks`
          : "A list of tasks as a page",
      },
      { id: "overview", title: `A summary page, “${overview}”` },
    ],
    checks: [
      {
        ...document,
        id: "research-has-substance",
        deliverable_id: "research",
        title_like: "",
        headings: sides.map(({ title }) => title),
        words_at_least: words.research,
      },
      ...ofTasks,
      {
        ...document,
        id: "overview-has-its-parts",
        deliverable_id: "overview",
        title_like: overview,
        headings: [...overviewHeadings],
        words_at_least: words.overview,
      },
    ],
  };
}
