// The routes of agents over a desk, for any application: how a caller is admitted, and whose desk it gets, is the application's.

import type { AnyRoute, RouteParsed } from "../../protocol/route.ts";
import { agentRoutes as routes } from "../../protocol/routes/agents.ts";
import type { AgentDesk, Answer, DeskEvents } from "./agent-desk.ts";

export type AgentMounts = {
  readonly answer: <R extends AnyRoute>(
    route: R,
    handle: (desk: AgentDesk, input: RouteParsed<R>) => Answer<R> | Promise<Answer<R>>,
  ) => void;
  readonly stream: <R extends AnyRoute>(
    route: R,
    open: (desk: AgentDesk, input: RouteParsed<R>, cursor: string | null, signal: AbortSignal) => DeskEvents,
  ) => void;
};

export function mountAgentRoutes(mounts: AgentMounts): void {
  const { answer } = mounts;
  answer(routes.projects, async (desk) => ({ items: await desk.projects() }));
  answer(routes.project, (desk, { params: p }) => desk.project(p.agentProject));
  answer(routes.tasks, (desk, { params: p, query }) => desk.tasks(p.agentProject, query));
  answer(routes.runs, async (desk, { params: p, query }) => ({
    items: await desk.runs(p.agentProject, query.limit),
  }));
  answer(routes.task, (desk, { params: p }) => desk.task(p.agentProject, p.agentTask));
  answer(routes.run, (desk, { params: p }) => desk.run(p.agentProject, p.agentTask, p.agentRun));
  answer(routes.start, (desk, { params: p, body }) => desk.start(p.agentProject, body));
  answer(routes.stopTask, (desk, { params: p, body }) => desk.stopTask(p.agentProject, p.agentTask, body.reason));
  answer(routes.stopRun, (desk, { params: p, body }) =>
    desk.stopRun(p.agentProject, p.agentTask, p.agentRun, body.reason),
  );
  mountBus(mounts);
  mountReading(mounts);
}

function mountBus({ answer, stream }: AgentMounts): void {
  answer(routes.projectBus, (desk, { params: p, query }) => desk.bus(p.agentProject, null, query));
  answer(routes.bus, (desk, { params: p, query }) => desk.bus(p.agentProject, p.agentTask, query));
  answer(routes.postToProject, (desk, { params: p, body }) => desk.post(p.agentProject, null, body));
  answer(routes.post, (desk, { params: p, body }) => desk.post(p.agentProject, p.agentTask, body));
  answer(routes.answer, (desk, { params: p, body }) =>
    desk.answer(p.agentProject, p.agentTask, body.question_id, body.text),
  );
  stream(routes.projectBusStream, (desk, { params: p, query }, cursor, signal) =>
    desk.streamBus(p.agentProject, null, query.since, cursor, signal),
  );
  stream(routes.busStream, (desk, { params: p, query }, cursor, signal) =>
    desk.streamBus(p.agentProject, p.agentTask, query.since, cursor, signal),
  );
  stream(routes.stream, (desk, { params: p, query }, cursor, signal) =>
    desk.streamTask(p.agentProject, p.agentTask, query, cursor, signal),
  );
}

function mountReading({ answer }: AgentMounts): void {
  answer(routes.projectFacts, async (desk, { params: p }) => ({ items: await desk.facts(p.agentProject, null) }));
  answer(routes.facts, async (desk, { params: p }) => ({
    items: await desk.facts(p.agentProject, p.agentTask),
  }));
  answer(routes.projectFile, (desk, { params: p, query: q }) => desk.projectFile(p.agentProject, q.name, q.tail));
  answer(routes.file, (desk, { params: p, query: q }) => desk.file(p.agentProject, p.agentTask, q.name, q.tail));
  answer(routes.runFile, (desk, { params: p, query: q }) =>
    desk.runFile(p.agentProject, p.agentTask, p.agentRun, q.name, q.tail),
  );
  answer(routes.log, (desk, { params: p, query }) => desk.log(p.agentProject, p.agentTask, p.agentRun, query));
}
