// How much of the web one call may take in, in one place, because the parts only hold together.

export type WebLimits = {
  readonly resolveMs: number;
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly totalMs: number;
  /** Of a body, unpacked. */
  readonly bodyBytes: number;
  readonly redirects: number;
  /** For making readable text of a page. */
  readonly parseMs: number;
};

/** Slow pages of honest servers fit; a server that keeps us waiting on purpose costs half a minute at most. */
export const webLimits: WebLimits = {
  resolveMs: 5_000,
  connectMs: 5_000,
  firstByteMs: 15_000,
  totalMs: 30_000,
  bodyBytes: 2_000_000,
  redirects: 5,
  parseMs: 5_000,
};

/** What a model is given of a page; a longer text is cut and says so. */
export const pageTextMax = 100_000;
export const pageLinksMax = 60;
export const usualPorts: readonly number[] = [80, 443, 8080, 8443];
