// What a planner reads of the user's words.

/** Something the user said; with the question, where it is an answer. */
export type SaidMessage = { readonly id: string; readonly question: string | null; readonly text: string };
