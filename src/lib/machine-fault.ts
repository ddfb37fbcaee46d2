// What the operating system refuses, in a sentence that says what to do. These are no faults of ours, so no place in the code is told.

const sentences: Readonly<Record<string, (place: string) => string>> = {
  ENOSPC: (place) => `The disk is full${place}. What was written before is kept. Free some space, then try again.`,
  EDQUOT: (place) =>
    `Your quota on this disk is used up${place}. What was written before is kept. Free some space, then try again.`,
  EROFS: (place) => `The disk can only be read${place}. Make it writable, then try again.`,
  EACCES: (place) => `Reading or writing was refused${place}. Check who owns it and its rights.`,
  EPERM: (place) => `Reading or writing was refused${place}. Check who owns it and its rights.`,
  ENOENT: (place) => `Something that was there is gone${place}: it was moved or removed meanwhile.`,
  EIO: (place) => `The disk reports an error${place}. Look at the disk before you go on.`,
  EMFILE: () => "Too many files are open in this process. Raise the limit (ulimit -n), then try again.",
  ENFILE: () => "Too many files are open on this machine. Close some programs, then try again.",
};

/** Null: something else. The place is for the person at this machine, not for one who asks over the network. */
export function describeMachineFault(thrown: unknown, isPlaceTold = true): string | null {
  if (!(thrown instanceof Error) || !("code" in thrown) || !("syscall" in thrown)) return null;
  if (String(thrown.syscall).startsWith("spawn")) return null;
  const place = isPlaceTold && "path" in thrown && typeof thrown.path === "string" ? ` (${thrown.path})` : "";
  return sentences[String(thrown.code)]?.(place) ?? null;
}
