// How large the user's things may get. Every bound of the wire contract comes from here.

export const limits = {
  title: 4_000,
  description: 20_000,
  /** Characters of markdown in one entity; a 2 MB document must fit. */
  content: 3_000_000,
  key: 120,
  /** Bytes of `props` as JSON, and how deep it may nest. */
  propsBytes: 64 * 1024,
  propsDepth: 12,
  pageMax: 200,
  pageDefault: 50,
  searchQuery: 400,
  /** Levels of documents below each other. */
  treeDepth: 32,
  /** Documents shown in one tree; more are listed by paging. */
  treeNodes: 5_000,
  /** Bytes of one HTTP request body: the largest entity (3 bytes a character) and some room. */
  bodyBytes: 9 * 1024 * 1024,
  /** The same where no content of an entity is in it, and where the caller is not signed in. */
  usualBodyBytes: 1024 * 1024,
  publicBodyBytes: 16 * 1024,
} as const;
