// Types of messages on a bus that say who speaks: only the runner posts the first ones, only people the others. Agents may post an ANSWER,
// to a run that they have started.

export const typesOfRunner: readonly string[] =
  "START STOP CRASH RUN_START RUN_STOP RUN_CRASH SUPERVISOR_RESTART CHILD_DONE".split(" ");

/** Words of a person; an agent cannot post these. */
export const wordsOfPeople: readonly string[] = ["USER", "USER_REQUEST"];
export const typesOfPeople: readonly string[] = [...wordsOfPeople, "ANSWER"];
