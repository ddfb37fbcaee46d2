// bin_task … bin_document and restore_task … restore_document: into the bin and out of it. Nothing is ever removed for good
// here.

import { z } from "zod";
import { type EntityKind, entityKinds } from "../domain/entity/kinds.ts";
import { setEntityBinned } from "../store/entity-store.ts";
import { id } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { notFound, openEntity, refusePlatformPage } from "./scope.ts";
import { refuse, type Tool } from "./tool.ts";

const binOf = (kind: EntityKind): Tool => {
  const args = z.strictObject({ id: id.describe(`Id of the ${kind}`) });
  return defineWrite<z.output<typeof args>>({
    name: `bin_${kind}`,
    description: `Puts a ${kind} into the bin. restore_${kind} takes it out again.`,
    args,
    tags: ["destructive"],
    stage: 3,
    write: async (tx, context, asked) => {
      const opened = await openEntity(tx, context, kind, asked.id, "editor");
      if (!opened.ok) return opened;
      const refused = refusePlatformPage(context, opened.value);
      if (refused) return refused;
      const binned = await setEntityBinned(tx, kind, opened.value.projectId, asked.id, true);
      if (!binned?.deletedAt) return notFound(kind, asked.id);
      return {
        ok: true,
        text: `The ${kind} ${asked.id} lies in the bin now.`,
        artifacts: [{ kind, id: asked.id }],
        summary: `Put the ${kind} ${quoted(binned.title)} into the bin`,
        isUntrusted: false,
      };
    },
  });
};

const restoreOf = (kind: EntityKind): Tool => {
  const args = z.strictObject({ id: id.describe(`Id of the ${kind} in the bin`) });
  return defineWrite<z.output<typeof args>>({
    name: `restore_${kind}`,
    description: `Takes a ${kind} out of the bin, as it was.`,
    args,
    tags: [],
    stage: 3,
    write: async (tx, context, asked) => {
      const opened = await openEntity(tx, context, kind, asked.id, "editor", true);
      if (!opened.ok) return opened;
      if (opened.value.deletedAt === null)
        return refuse("conflict", `The ${kind} ${asked.id} is not in the bin; there is nothing to restore.`);
      const restored = await setEntityBinned(tx, kind, opened.value.projectId, asked.id, false);
      if (!restored || restored.deletedAt) return notFound(kind, asked.id);
      return {
        ok: true,
        text: `The ${kind} ${asked.id} is out of the bin; it is at version ${restored.version}.`,
        artifacts: [{ kind, id: asked.id }],
        summary: `Restored the ${kind} ${quoted(restored.title)}`,
        isUntrusted: false,
      };
    },
  });
};

export const binTools: readonly Tool[] = entityKinds.flatMap((kind) => [binOf(kind), restoreOf(kind)]);
