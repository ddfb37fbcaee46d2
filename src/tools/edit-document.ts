// edit_document: changes passages of a document in place, so that a new row of a table does not mean writing the page again.

import { z } from "zod";
import { editText } from "../domain/entity/edit-text.ts";
import { limits } from "../domain/entity/limits.ts";
import { describeLength } from "../domain/run/measure-document.ts";
import { content, expectedVersion, id, source } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { markChanged } from "./homework-tag.ts";
import { saveEntity } from "./save-entity.ts";
import { openEntity, refusePlatformPage } from "./scope.ts";
import { refuse } from "./tool.ts";

const editsMax = 20;

const edit = z.union([
  z.strictObject({
    find: content.min(1).describe("A passage that stands in the document exactly once, word for word"),
    replace: content.describe("What stands there instead"),
  }),
  z.strictObject({
    under_heading: z.string().min(1).max(400).describe("A heading of the document"),
    insert: content.min(1).describe("Markdown to add at the end of that section"),
  }),
]);

const args = z.strictObject({
  id: id.describe("Id of the document"),
  edits: z.array(edit).min(1).max(editsMax).describe("Done in this order; all of them or none"),
  expected_version: expectedVersion.optional(),
  source,
});

export const editDocument = defineWrite<z.output<typeof args>>({
  name: "edit_document",
  description:
    "Changes parts of a document in place: replaces passages, or adds below a heading. Shows the changed passages.",
  args,
  tags: [],
  stage: 1,
  write: async (tx, context, asked) => {
    const opened = await openEntity(tx, context, "document", asked.id, "editor");
    if (!opened.ok) return opened;
    const refused = refusePlatformPage(context, opened.value);
    if (refused) return refused;
    let passages: readonly string[] = [];
    const saved = await saveEntity(tx, opened.value, asked.expected_version, (now) => {
      const edited = editText(now.content, asked.edits);
      if (!edited.ok) return refuse("invalid_arguments", edited.why);
      if (edited.text.length > limits.content)
        return refuse("conflict", `The document would be too long (${limits.content} characters at most).`);
      passages = edited.passages;
      return { content: edited.text, props: markChanged(now.props, undefined, asked.source) };
    });
    if (!saved.ok) return saved;
    const { title, version, content: whole } = saved.value;
    return {
      ok: true,
      text: [
        `Edited; the document ${asked.id} has ${describeLength(whole)} and is at version ${version}. It reads now:`,
        ...passages,
      ].join("\n\n"),
      artifacts: [{ kind: "document", id: asked.id }],
      summary: `Edited the document ${quoted(title)}`,
      isUntrusted: false,
    };
  },
});
