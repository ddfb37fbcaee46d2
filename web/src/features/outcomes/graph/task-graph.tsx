// What waits for what, as a picture from left to right, and the same as a table. Tasks without dependencies stand below the picture.

import { Stack, Text, Title } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useMemo, useState } from "react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { isSettled } from "../tasks/task-words.ts";
import { type GraphEdge, type GraphLayout, layOut, nodeHeight, pathOf } from "./graph-layout.ts";
import { GraphNode } from "./graph-node.tsx";
import { GraphSteps } from "./graph-steps.tsx";
import { GraphTable } from "./graph-table.tsx";
import { findHeldUp } from "./held-up.ts";
import { HeldUpLines } from "./held-up-lines.tsx";
import "../tasks/tasks.css";
import "./graph.css";

export function TaskGraph({ tasks }: { readonly tasks: readonly OutcomeTask[] }) {
  const { ref, width } = useElementSize();
  const layout = useMemo(() => layOut(tasks, width), [tasks, width]);
  const heldUp = useMemo(() => findHeldUp(tasks), [tasks]);
  const heldUpBy = (task: OutcomeTask) =>
    heldUp.filter(({ waiting }) => waiting.has(task.id)).map(({ task: by }) => by);
  const alone = tasks.filter(({ id }) => layout.alone.includes(id));
  return (
    <Stack gap="md" ref={ref}>
      <HeldUpLines found={heldUp} />
      {layout.edges.length === 0 ? (
        <Text size="sm" c="dimmed">
          No task waits for another. Add dependencies in a task.
        </Text>
      ) : (
        <>
          <Text size="sm" c="dimmed" className="graph-hint">
            From left to right: a task starts once all tasks that lead to it are done. Point at a task to see its lines.
            {layout.width > width ? " Scroll sideways to see the rest." : ""}
          </Text>
          <Picture tasks={tasks} layout={layout} heldUpBy={heldUpBy} />
          <GraphSteps tasks={tasks} ranks={layout.ranks} heldUpBy={heldUpBy} />
        </>
      )}
      {alone.length > 0 && layout.edges.length > 0 ? (
        <section aria-labelledby="tasks-alone">
          <Title order={2} size="h6" mb={6} id="tasks-alone">
            No dependencies
          </Title>
          <ul className="graph-alone">
            {alone.map((task) => (
              <li key={task.id}>
                <GraphNode task={task} tasks={tasks} heldUpBy={[]} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <GraphTable tasks={tasks} />
    </Stack>
  );
}

type PictureProps = {
  readonly tasks: readonly OutcomeTask[];
  readonly layout: GraphLayout;
  readonly heldUpBy: (task: OutcomeTask) => readonly OutcomeTask[];
};

function Picture({ tasks, layout: { places, edges, width, height, nodeWidth }, heldUpBy }: PictureProps) {
  /** The task whose edges stand out. */
  const [near, setNear] = useState<string | null>(null);
  const settled = useMemo(() => new Set(tasks.filter(isSettled).map(({ id }) => id)), [tasks]);
  const isHeld = (task: OutcomeTask) =>
    task.status === "failed" || heldUpBy(task).some(({ status }) => status === "failed");
  const held = new Set(tasks.filter(isHeld).map(({ id }) => id));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className="graph-scroll" aria-label="Dependency graph" tabIndex={0}>
      <div className="graph" style={{ width, height }}>
        <svg className="graph-edges" width={width} height={height} aria-hidden="true">
          <defs>
            <marker
              id="graph-arrow"
              viewBox="0 0 8 8"
              refX="8"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
              markerUnits="userSpaceOnUse"
            >
              <path d="M0 0L8 4L0 8z" className="graph-arrow" />
            </marker>
          </defs>
          {edges
            .toSorted((a, b) => Number(touches(a, near)) - Number(touches(b, near)))
            .map((edge) => (
              <path
                key={`${edge.from}-${edge.to}`}
                d={pathOf(edge, nodeWidth)}
                className="graph-edge"
                markerEnd="url(#graph-arrow)"
                data-near={touches(edge, near) || undefined}
                data-settled={settled.has(edge.from) || undefined}
                data-held={held.has(edge.from) || undefined}
              />
            ))}
        </svg>
        <ul className="graph-nodes">
          {tasks.map((task) => {
            const place = places.get(task.id);
            if (!place) return null;
            const corner = { left: place.x - nodeWidth / 2, top: place.y - nodeHeight / 2 };
            return (
              <li key={task.id} className="graph-place" style={{ ...corner, width: nodeWidth, height: nodeHeight }}>
                <GraphNode task={task} tasks={tasks} heldUpBy={heldUpBy(task)} onNear={setNear} />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

const touches = ({ from, to }: GraphEdge, taskId: string | null): boolean => from === taskId || to === taskId;
