// What the server needs of agents: which there are, whether runs may work in a folder, and what becomes of a run's branch. Git and the
// agents themselves are behind it.

export type ShownAgents = {
  /** Names of agents that runs can be worked on by, in the order of the settings. */
  readonly names: readonly string[];
  /** Why runs cannot have the agent engine here, and what to do; null: they can. */
  readonly problem: string | null;
};

/** The branch of a run, on its host. */
export type RunBranch = {
  readonly runId: string;
  readonly userId: string;
  readonly host: string;
  readonly repository: string;
  readonly branch: string;
};

export type MergeOutcome =
  | { readonly kind: "merged"; readonly into: string; readonly commit: string }
  /** Files that both sides changed. Nothing was done. */
  | { readonly kind: "conflicts"; readonly into: string; readonly files: readonly string[] }
  /** What the person has not committed, or a checkout that is in the middle of something. Nothing was done. */
  | { readonly kind: "in_the_way"; readonly why: string };

export type DiscardOutcome = { readonly kind: "discarded" } | { readonly kind: "in_the_way"; readonly why: string };

/** The folder that the agents of a run have on this host. */
export type RunPlace = { readonly projectId: string; readonly taskId: string };

export type AgentsPort = {
  readonly show: () => ShownAgents;
  /** Null: it is on another host, or was removed. */
  readonly findPlace: (run: Pick<RunBranch, "runId" | "userId" | "host">) => RunPlace | null;
  /** The repository that a folder of this host is in, or why runs may not work there. */
  readonly findRepository: (folder: string) => Promise<{ readonly repository: string } | { readonly why: string }>;
  readonly merge: (branch: RunBranch, message: string) => Promise<MergeOutcome>;
  readonly discard: (branch: RunBranch) => Promise<DiscardOutcome>;
};
