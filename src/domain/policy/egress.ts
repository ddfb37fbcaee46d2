// What keeps private things from leaving: once a run has read text of strangers, nothing it can be talked into may send
// anything out without the user's word. The prompt says so too, but only this file decides.

export const toolTags = ["private", "untrusted", "egress", "destructive"] as const;
/**
 * private: shows the user's own things. untrusted: brings in text of strangers. egress: can carry words of the caller's
 * choosing to the outside. destructive: takes something away.
 */
export type ToolTag = (typeof toolTags)[number];
