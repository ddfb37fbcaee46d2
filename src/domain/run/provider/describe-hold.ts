// A run that a provider makes wait, in a sentence: notifications, events, lists and the terminal say the same. Pure.

export const describeHold = (why: string): string => `Waiting for the model provider: ${why}`;
