// A judge that was not asked has not said no.

/** How what was seen of such a check begins. */
export const notAskedYet = "not asked yet";

export const wasNotAsked = ({ seen }: { readonly seen: string }): boolean => seen.startsWith(notAskedYet);
