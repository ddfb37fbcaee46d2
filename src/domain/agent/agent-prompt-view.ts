// All that the prompt of an agent at the root of a task is written from. Paths are absolute.

export type AgentPromptView = {
  readonly objective: string;
  /** What is known of the outcome that the task is a part of, or of the run that it follows up, in words; null: it stands by itself. */
  readonly brief: string | null;
  readonly projectId: string;
  readonly taskId: string;
  readonly runId: string;
  readonly folders: { readonly task: string; readonly run: string; readonly work: string };
  readonly files: {
    readonly state: string;
    readonly bus: string;
    readonly done: string;
    readonly output: string;
  };
  /** 0 for the first start. */
  readonly restart: number;
  /** Everything the user has said, oldest first. */
  readonly said: readonly { readonly at: string; readonly question: string | null; readonly text: string }[];
  /** Conditions for being done, one sentence each. */
  readonly checks: readonly string[];
  /** What is changed in the work folder is committed for the agent after it has ended. */
  readonly isCommitted: boolean;
  /** Why the DONE of the last start was not accepted, one point each; null: it left none. */
  readonly rejected: readonly string[] | null;
  /** What else went wrong since the last start; newest last. */
  readonly troubles: readonly { readonly from: string; readonly text: string }[];
  /** How deep this agent stands below the first one, and how deep agents may go. */
  readonly depth: number;
  readonly depthMax: number;
};

export type WriteAgentPrompt = (view: AgentPromptView) => string;
