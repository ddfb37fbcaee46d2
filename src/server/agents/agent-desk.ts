// What the routes of agents need: a runner's root, asked in the words of the contract. `src/runner/serve/` is one, put in by main/.

import type { AgentQuestion } from "../../protocol/api.ts";
import type { AnyRoute, RouteParsed, RouteResult } from "../../protocol/route.ts";
import type { agentRoutes } from "../../protocol/routes/agents.ts";

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** What a route answers, for those who only make it. */
export type Answer<R extends AnyRoute> = Frozen<RouteResult<R>>;

type Routes = typeof agentRoutes;
type Gives<Name extends keyof Routes> = Answer<Routes[Name]>;
type Takes<Name extends keyof Routes, Part extends string> =
  RouteParsed<Routes[Name]> extends Readonly<Record<Part, infer Value>> ? Frozen<Value> : never;

export type DeskEvent = {
  readonly name: string;
  readonly data: unknown;
  /** The cursor to come back with; null: the one before stays. */
  readonly id: string | null;
};
export type DeskEvents = AsyncGenerator<DeskEvent>;

type Meta = Readonly<Record<string, string>>;
type Soon<T> = T | Promise<T>;

/** A task as a list or its own page shows it. */
export type DeskTask = Gives<"tasks">["items"][number];

/** Streams begin after `cursor`, the last event one has, where there is one; they end with the signal. */
export type AgentDesk = {
  readonly info: () => Gives<"info">;
  /** The Homework run whose agents work on this task; null: the task is of `run-agent` alone, or is not there. */
  readonly homeworkRunOf: (project: string, task: string) => string | null;
  /** Questions that wait for the user, the newest first. */
  readonly asking: () => Soon<readonly AgentQuestion[]>;
  readonly projects: () => Soon<Gives<"projects">["items"]>;
  readonly project: (project: string) => Soon<Gives<"project">>;
  readonly tasks: (project: string, query: Takes<"tasks", "query">) => Soon<Gives<"tasks">>;
  readonly runs: (project: string, limit: number) => Soon<Gives<"runs">["items"]>;
  readonly task: (project: string, task: string) => Soon<Gives<"task">>;
  readonly run: (project: string, task: string, run: string) => Soon<Gives<"run">>;
  readonly start: (project: string, order: Takes<"start", "body">) => Promise<Gives<"start">>;
  readonly stopTask: (project: string, task: string, reason: string) => Promise<Gives<"stopTask">>;
  readonly stopRun: (project: string, task: string, run: string, reason: string) => Promise<Gives<"stopRun">>;
  /** `task` null: the bus of the project; so also below. */
  readonly bus: (project: string, task: string | null, query: Takes<"bus", "query">) => Soon<Gives<"bus">>;
  /** `meta`: kept with the message. */
  readonly post: (
    project: string,
    task: string | null,
    message: Takes<"post", "body">,
    meta?: Meta,
  ) => Promise<Gives<"post">>;
  readonly answer: (
    project: string,
    task: string,
    questionId: string,
    text: string,
    meta?: Meta,
  ) => Promise<Gives<"answer">>;
  readonly facts: (project: string, task: string | null) => Soon<Gives<"facts">["items"]>;
  readonly projectFile: (project: string, name: string, tail: number) => Soon<Gives<"projectFile">>;
  readonly file: (project: string, task: string, name: string, tail: number) => Soon<Gives<"file">>;
  readonly runFile: (project: string, task: string, run: string, name: string, tail: number) => Soon<Gives<"runFile">>;
  readonly log: (project: string, task: string, run: string, request: Takes<"log", "query">) => Soon<Gives<"log">>;
  readonly streamBus: (
    project: string,
    task: string | null,
    since: string | undefined,
    cursor: string | null,
    signal: AbortSignal,
  ) => DeskEvents;
  readonly streamTask: (
    project: string,
    task: string,
    query: Takes<"stream", "query">,
    cursor: string | null,
    signal: AbortSignal,
  ) => DeskEvents;
};
