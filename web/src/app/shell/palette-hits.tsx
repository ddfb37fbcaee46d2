// What the palette found, in the groups of the search page.

import { Group, Text } from "@mantine/core";
import { Spotlight } from "@mantine/spotlight";
import { IconRobot, IconRocket } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ListedRun, OutcomeHit, SearchHit } from "../../../../src/protocol/api.ts";
import { kindSpecs } from "../../../../src/protocol/kinds.ts";
import { runStatusWord } from "../../../../src/protocol/words/run-status.ts";
import type { AgentHit } from "../../lib/data/search-agents.ts";
import type { Found } from "../../lib/use-search-all.ts";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { OutcomeHitIcon, searchOfHit } from "../../ui/outcome-hit.tsx";
import { Snippet } from "../../ui/snippet.tsx";

const icon = { size: 18, stroke: 1.6, "aria-hidden": true, className: "unshrinkable" } as const;

export function PaletteHits({ found: { runs, outcomes, agents, things } }: { readonly found: Found }) {
  return (
    <>
      <HitGroup label="Runs" isEmpty={runs.length === 0}>
        {runs.map((run) => (
          <RunAction key={run.id} run={run} />
        ))}
      </HitGroup>
      <HitGroup label="Outcomes" isEmpty={outcomes.length === 0}>
        {outcomes.map((hit) => (
          <OutcomeAction key={hit.id} hit={hit} />
        ))}
      </HitGroup>
      <HitGroup label="Agents" isEmpty={agents.length === 0}>
        {agents.map((hit) => (
          <AgentAction key={`${hit.project}/${hit.task?.id ?? ""}`} hit={hit} />
        ))}
      </HitGroup>
      <HitGroup label="Documents and tasks" isEmpty={things.length === 0}>
        {things.map((hit) => (
          <ThingAction key={hit.id} hit={hit} />
        ))}
      </HitGroup>
    </>
  );
}

type HitGroupProps = { readonly label: string; readonly isEmpty: boolean; readonly children: ReactNode };

function HitGroup({ label, isEmpty, children }: HitGroupProps) {
  return isEmpty ? null : <Spotlight.ActionsGroup label={label}>{children}</Spotlight.ActionsGroup>;
}

type HitActionProps = {
  readonly picture: ReactNode;
  readonly title: string;
  /** What stands behind the title, such as where the hit is. */
  readonly place: string;
  readonly snippet?: ReactNode;
  readonly onClick: () => void;
};

function HitAction({ picture, title, place, snippet, onClick }: HitActionProps) {
  return (
    <Spotlight.Action onClick={onClick}>
      <Group gap="sm" wrap="nowrap" align="flex-start" w="100%">
        {picture}
        <span className="grow">
          <Text size="sm" fw={600} className="breakable" component="span" lineClamp={2} dir="auto">
            {title}
            {place === "" ? null : (
              <Text span size="xs" fw={400} className="faint">
                {` ${place}`}
              </Text>
            )}
          </Text>
          {snippet}
        </span>
      </Group>
    </Spotlight.Action>
  );
}

function RunAction({ run }: { readonly run: ListedRun }) {
  const navigate = useNavigate();
  const open = () => void navigate({ to: "/homework/runs/$runId", params: { runId: run.id } });
  const place = runStatusWord(run.status, run.stop_reason?.type === "paused").toLowerCase();
  return <HitAction picture={<IconRocket {...icon} />} title={run.title} place={place} onClick={open} />;
}

function OutcomeAction({ hit }: { readonly hit: OutcomeHit }) {
  const navigate = useNavigate();
  const open = () =>
    void navigate({ to: "/outcomes/$outcomeId", params: { outcomeId: hit.outcome_id }, search: searchOfHit(hit) });
  return (
    <HitAction
      picture={<OutcomeHitIcon kind={hit.kind} />}
      title={hit.title}
      place={hit.kind === "outcome" ? "" : `in ${hit.outcome_name}`}
      snippet={<Snippet pieces={hit.snippet} />}
      onClick={open}
    />
  );
}

function AgentAction({ hit: { project, task } }: { readonly hit: AgentHit }) {
  const navigate = useNavigate();
  const open = () =>
    task === null
      ? void navigate({ to: "/agents/projects/$agentProject", params: { agentProject: project } })
      : void navigate({
          to: "/agents/projects/$agentProject/tasks/$agentTask",
          params: { agentProject: project, agentTask: task.id },
        });
  return (
    <HitAction
      picture={<IconRobot {...icon} />}
      title={task?.title ?? project}
      place={task === null ? "project" : `in ${project}`}
      onClick={open}
    />
  );
}

function ThingAction({ hit }: { readonly hit: SearchHit }) {
  const navigate = useNavigate();
  const open = () => {
    if (hit.kind === "project") return void navigate({ to: "/projects/$projectId", params: { projectId: hit.id } });
    const params = { projectId: hit.project_id, plural: kindSpecs[hit.kind].plural, entityId: hit.id };
    void navigate({ to: "/projects/$projectId/$plural/$entityId", params });
  };
  return (
    <HitAction
      picture={<KindIcon kind={hit.kind} />}
      title={hit.title}
      place={hit.kind === "project" ? "project" : `in ${hit.project_name}`}
      snippet={<Snippet pieces={hit.snippet} />}
      onClick={open}
    />
  );
}
