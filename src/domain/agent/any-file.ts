// The path of `file_exists` that means any file that this run made or changed.

export const anyFile = ".";
