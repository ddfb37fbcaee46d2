// The whole HTTP contract: every route by name, and the types of what they carry.

import type { z } from "zod";
import type {
  agentFact,
  agentProject,
  agentQuestion,
  agentRun,
  agentRunDetail,
  agentTask,
  agentTaskDetail,
  busMessage,
  logLine,
  logPage,
} from "./routes/agent-shapes.ts";
import { agentRoutes } from "./routes/agents.ts";
import { changeRoutes, type stagedWrite } from "./routes/changes.ts";
import { type channel, type channelDelivery, channelRoutes } from "./routes/channels.ts";
import { type chat, type chatEvent, type chatMessage, chatRoutes } from "./routes/chat.ts";
import {
  type author,
  documentRoutes,
  type edge,
  edgeRoutes,
  type entity,
  type entitySummary,
  routesOfKind,
} from "./routes/entities.ts";
import { escalationRoutes, homrRoutes } from "./routes/homr.ts";
import type {
  activity,
  brief,
  briefSummary,
  escalation,
  homrContext,
  memory,
  observation,
  receipt,
  review,
} from "./routes/homr-shapes.ts";
import { identityRoutes, type me } from "./routes/identity.ts";
import { instanceRoutes } from "./routes/instance.ts";
import { liveRoutes } from "./routes/live.ts";
import { memoryRoutes } from "./routes/memories.ts";
import { modelRoutes } from "./routes/models.ts";
import { type listedNotification, type notification, notificationRoutes } from "./routes/notifications.ts";
import type {
  design,
  intervention,
  outcome,
  outcomeEvent,
  outcomeSummary,
  outcomeTask,
  outcomeTaskDetail,
} from "./routes/outcome-shapes.ts";
import { outcomeTaskRoutes } from "./routes/outcome-tasks.ts";
import { outcomeRoutes } from "./routes/outcomes.ts";
import {
  type change,
  type member,
  type outcomeHit,
  type project,
  projectRoutes,
  type searchHit,
} from "./routes/projects.ts";
import { type news, type runEntry, type runOutput, runPartRoutes, type runSource } from "./routes/run-parts.ts";
import type { feedEvent, iteration, listedRun, report, run, runEvent, runSummary } from "./routes/run-shapes.ts";
import { runRoutes } from "./routes/runs.ts";
import type { restored, undone } from "./routes/undo-shapes.ts";

export const routes = {
  instance: instanceRoutes,
  models: modelRoutes,
  identity: identityRoutes,
  projects: projectRoutes,
  ...routesOfKind,
  documents: documentRoutes,
  edges: edgeRoutes,
  runs: runRoutes,
  runParts: runPartRoutes,
  outcomes: outcomeRoutes,
  outcomeTasks: outcomeTaskRoutes,
  homr: homrRoutes,
  escalations: escalationRoutes,
  memories: memoryRoutes,
  notifications: notificationRoutes,
  channels: channelRoutes,
  changes: changeRoutes,
  chats: chatRoutes,
  live: liveRoutes,
  agents: agentRoutes,
} as const;

export type Me = z.infer<typeof me>;
export type Project = z.infer<typeof project>;
export type Member = z.infer<typeof member>;
export type Change = z.infer<typeof change>;
export type SearchHit = z.infer<typeof searchHit>;
export type OutcomeHit = z.infer<typeof outcomeHit>;
export type EntitySummary = z.infer<typeof entitySummary>;
export type Entity = z.infer<typeof entity>;
export type Author = z.infer<typeof author>;
export type Edge = z.infer<typeof edge>;
export type Run = z.infer<typeof run>;
export type RunSummary = z.infer<typeof runSummary>;
export type RunNews = z.infer<typeof news>;
export type ListedRun = z.infer<typeof listedRun>;
export type RunEntry = z.infer<typeof runEntry>;
export type RunOutput = z.infer<typeof runOutput>;
export type RunSource = z.infer<typeof runSource>;
export type StagedWrite = z.infer<typeof stagedWrite>;
export type RunReport = z.infer<typeof report>;
export type RunIteration = z.infer<typeof iteration>;
export type RunEvent = z.infer<typeof runEvent>;
export type Undone = z.infer<typeof undone>;
export type Restored = z.infer<typeof restored>;
export type Notification = z.infer<typeof notification>;
export type ListedNotification = z.infer<typeof listedNotification>;
export type Channel = z.infer<typeof channel>;
export type ChannelDelivery = z.infer<typeof channelDelivery>;
export type Outcome = z.infer<typeof outcome>;
export type OutcomeSummary = z.infer<typeof outcomeSummary>;
export type OutcomeTask = z.infer<typeof outcomeTask>;
export type OutcomeTaskDetail = z.infer<typeof outcomeTaskDetail>;
export type OutcomeEvent = z.infer<typeof outcomeEvent>;
export type Design = z.infer<typeof design>;
export type Intervention = z.infer<typeof intervention>;
export type Observation = z.infer<typeof observation>;
export type HomrActivity = z.infer<typeof activity>;
export type HomrContext = z.infer<typeof homrContext>;
export type Escalation = z.infer<typeof escalation>;
export type Receipt = z.infer<typeof receipt>;
export type BriefSummary = z.infer<typeof briefSummary>;
export type Brief = z.infer<typeof brief>;
export type Review = z.infer<typeof review>;
export type Memory = z.infer<typeof memory>;
export type Chat = z.infer<typeof chat>;
export type ChatMessage = z.infer<typeof chatMessage>;
export type ChatEvent = z.infer<typeof chatEvent>;
export type FeedEvent = z.infer<typeof feedEvent>;
export type AgentProject = z.infer<typeof agentProject>;
export type AgentQuestion = z.infer<typeof agentQuestion>;
export type AgentTask = z.infer<typeof agentTask>;
export type AgentTaskDetail = z.infer<typeof agentTaskDetail>;
export type AgentRun = z.infer<typeof agentRun>;
export type AgentRunDetail = z.infer<typeof agentRunDetail>;
export type AgentFact = z.infer<typeof agentFact>;
export type BusMessage = z.infer<typeof busMessage>;
export type LogLine = z.infer<typeof logLine>;
export type LogPage = z.infer<typeof logPage>;
