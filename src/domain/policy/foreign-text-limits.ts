// How much of what others wrote may be handed over at once. By itself, so that pages load no schemas for it.

/** Characters. They stand whole in every prompt, so together they have the room of an objective; longer ones belong in a document. */
export const foreignTextLimits = { texts: 5, title: 200, together: 32_000 } as const;
