// What a run did, as a person would say it. Pure. Tools word it for models, and their words stand in prompts and in the history of
// runs, so they are put into other words only where they are shown.

const verbs: Readonly<Record<string, string>> = { Made: "Created", Changed: "Updated", Put: "Deleted" };

/** `Made the task "Clear permits"` is `Created task “Clear permits”`; what is worded otherwise stays as it is. */
export function entrySummary(summary: string): string {
  const found = /^(Made|Changed|Edited|Moved|Restored|Put) the (\w+) "(.*)"( into the bin)?$/.exec(summary);
  if (found === null) return summary;
  const [, verb = "", kind = "", title = ""] = found;
  return `${verbs[verb] ?? verb} ${kind} “${title}”`;
}
