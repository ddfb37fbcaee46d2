// Everything a run made as one zip file: deliverables, tasks, the report, and its working notes in a folder of their own.

import type { Run } from "../../../../../src/protocol/api.ts";
import { fileNameOf } from "../../../../../src/protocol/file-name.ts";
import { readRunFiles, readWorkingNotes } from "../../../../../src/protocol/run-files.ts";
import { api } from "../../../lib/api.ts";
import { nameApart } from "./name-apart.ts";
import { saveFile } from "./save-file.ts";

export async function downloadArchive(run: Run): Promise<void> {
  const { strToU8, zip } = await import("fflate");
  const [files, notes] = await Promise.all([
    readRunFiles(api, run, window.location.origin),
    readWorkingNotes(api, run),
  ]);
  const entries = nameApart([...files, ...notes.map((note) => ({ ...note, name: `Working notes/${note.name}` }))]);
  const packed = await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    zip(Object.fromEntries(entries.map(({ name, text }) => [name, strToU8(text)])), (failure, data) =>
      failure ? reject(failure) : resolve(data as Uint8Array<ArrayBuffer>),
    );
  });
  saveFile(new Blob([packed], { type: "application/zip" }), `${fileNameOf(run.title)}.zip`);
}
