// The workspace of a run: a tree of ordinary documents that people can read and search while it works.

export type Workspace = {
  readonly projectId: string;
  /** The root of the tree. */
  readonly rootId: string;
  /** The page that is written to now; older ones are its siblings. */
  readonly scratchpadId: string;
};
