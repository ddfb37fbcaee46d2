// How everything the demo model writes is marked: nobody shall take rules for a model.

export const demoLabel = "_Drafted by the demo model: rules, no AI. Connect a real model for research._";

/** Behind the text, once; a text that carries it already stays as it is. */
export const labelled = (text: string): string => (text.includes(demoLabel) ? text : `${text}\n\n${demoLabel}`);
