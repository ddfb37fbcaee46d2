// append_document: adds to the end of a document without touching what stands there.

import { z } from "zod";
import { limits } from "../domain/entity/limits.ts";
import { describeLength } from "../domain/run/measure-document.ts";
import { content, expectedVersion, id, source } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { markChanged } from "./homework-tag.ts";
import { saveEntity } from "./save-entity.ts";
import { openEntity, refusePlatformPage } from "./scope.ts";
import { refuse } from "./tool.ts";

const args = z.strictObject({
  id: id.describe("Id of the document"),
  text: content.min(1).describe("Markdown to add at the end, after an empty line; kept exactly as given"),
  expected_version: expectedVersion.optional(),
  source,
});

export const appendDocument = defineWrite<z.output<typeof args>>({
  name: "append_document",
  description: "Adds text to the end of a document. What stands there stays.",
  args,
  tags: [],
  stage: 1,
  write: async (tx, context, asked) => {
    const opened = await openEntity(tx, context, "document", asked.id, "editor");
    if (!opened.ok) return opened;
    const refused = refusePlatformPage(context, opened.value);
    if (refused) return refused;
    const saved = await saveEntity(tx, opened.value, asked.expected_version, (now) => {
      const whole = appended(now.content, asked.text);
      if (whole.length > limits.content)
        return refuse("conflict", `The document is full (${limits.content} characters). Begin another below it.`);
      return { content: whole, props: markChanged(now.props, undefined, asked.source) };
    });
    if (!saved.ok) return saved;
    const { title, version, content: whole } = saved.value;
    return {
      ok: true,
      text: `Added to the document ${asked.id}; it has ${describeLength(whole)} and is at version ${version}.`,
      artifacts: [{ kind: "document", id: asked.id }],
      summary: `Added to the document ${quoted(title)}`,
      isUntrusted: false,
    };
  },
});

/** A paragraph of its own, as Markdown needs it. */
export const appended = (before: string, more: string): string => (before === "" ? more : `${before}\n\n${more}`);
