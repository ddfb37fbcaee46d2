// Payloads too large for a message: `ATTACH-<time>-<name>.<ext>` beside the bus. Messages name them by file name alone, and a name in a
// message is checked like any other name from outside.

import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { freeName } from "./facts.ts";
import { quote } from "./ids.ts";
import type { ProjectFolder, RunnerRoot, TaskFolder } from "./runner-root.ts";
import { makeSlug } from "./slug.ts";
import { readText, type TextRead, writeText } from "./text.ts";

const attachmentName = /^ATTACH-\d{8}-\d{10}-[a-z0-9-]{1,60}\.[a-z0-9]{1,8}$/;

const isAttachmentName = (name: string): boolean => attachmentName.test(name);

/** Durable before it returns; returns the name of its file. */
export function writeAttachment(
  root: RunnerRoot,
  place: ProjectFolder | TaskFolder,
  title: string,
  text: string,
  extension = "txt",
): string {
  const name = makeSlug(title) ?? "text";
  const file = freeName(root, place.path, root.nanos(), (stamp) => `ATTACH-${stamp}-${name}.${extension}`);
  if (!isAttachmentName(path.basename(file)))
    throw new AppError("invalid_request", `${quote(extension)} is not a usual extension of a file.`);
  writeText(root.disk, file, text);
  return path.basename(file);
}

export function readAttachment(root: RunnerRoot, place: ProjectFolder | TaskFolder, name: string): TextRead {
  if (!isAttachmentName(name)) return { kind: "unreadable", why: `${quote(name)} is not the name of an attachment.` };
  return readText(root.disk, path.join(place.path, name));
}
