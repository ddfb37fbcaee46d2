// What is kept of a recording: every event, without the paths, ids and times of the machine it was made on, and without long lists.

import { isRecord, readJson } from "../../src/lib/json.ts";

const listMax = 8;
const listKept = 2;
const textMax = 1_000;

export type RecordingPlaces = { readonly root: string; readonly programs: string; readonly server: string };

export function trimRecording(text: string, { root, programs, server }: RecordingPlaces): string {
  const ids = new Map<string, string>();
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return text
    .split("\n")
    .map((line) => (isRecord(readJson(line)) ? JSON.stringify(shorten(readJson(line))) : line))
    .join("\n")
    .replaceAll(root, "/recorded")
    .replaceAll(root.slice(1), "recorded")
    .replaceAll(root.replaceAll("/", "-"), "-recorded")
    .replaceAll(programs, "/programs")
    .replaceAll(new URL(server).host, "127.0.0.1:1")
    .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "2026-01-01T00:00:00.000Z")
    .replaceAll(uuid, (id) => {
      if (!ids.has(id)) ids.set(id, `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, "0")}`);
      return ids.get(id) ?? id;
    });
}

function shorten(value: unknown): unknown {
  if (typeof value === "string") return value.length > textMax ? `${value.slice(0, textMax)}…` : value;
  if (Array.isArray(value)) return (value.length > listMax ? value.slice(0, listKept) : value).map(shorten);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shorten(each)]));
}
