// Everything a run made as one zip file: deliverables, tasks, the report, and its working notes in a folder of their own.

import type { Run } from "../../../../../src/protocol/api.ts";
import { fileNameOf } from "../../../../../src/protocol/file-name.ts";
import { linkFiles } from "../../../../../src/protocol/link-files.ts";
import { nameApart } from "../../../../../src/protocol/name-apart.ts";
import { readRunFiles, readWorkingNotes } from "../../../../../src/protocol/run-files.ts";
import { api } from "../../../lib/api.ts";
import { saveFile } from "./save-file.ts";

export async function downloadArchive(run: Run): Promise<void> {
  const { strToU8, zip } = await import("fflate");
  const [files, notes] = await Promise.all([
    readRunFiles(api, run, window.location.origin),
    readWorkingNotes(api, run),
  ]);
  const named = nameApart([...files, ...notes.map((note) => ({ ...note, name: `Working notes/${note.name}` }))]);
  const entries = linkFiles(named, window.location.origin);
  const packed = await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    zip(Object.fromEntries(entries.map(({ name, text }) => [name, strToU8(text)])), (failure, data) =>
      failure ? reject(failure) : resolve(data as Uint8Array<ArrayBuffer>),
    );
  });
  saveFile(new Blob([packed], { type: "application/zip" }), `${fileNameOf(run.title)}.zip`);
}
