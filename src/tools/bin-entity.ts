// bin_task … bin_document and restore_task … restore_document: into the bin and out of it. Nothing is ever removed for good
// here.

import { z } from "zod";
import { type EntityKind, entityKinds } from "../domain/entity/kinds.ts";
import { setEntityBinned } from "../store/entity/entity-store.ts";
import { id } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { compareRead, entityNow, removal } from "./compare-read.ts";
import { defineWrite } from "./define-tool.ts";
import { notFound, openEntity, openForChange } from "./scope.ts";
import { refuse, type Tool, wrote } from "./tool.ts";

const binOf = (kind: EntityKind): Tool =>
  defineWrite({
    name: `bin_${kind}`,
    description: `Puts a ${kind} into the bin. restore_${kind} takes it out again.`,
    args: z.strictObject({ id: id.describe(`Id of the ${kind}`) }),
    tags: ["destructive"],
    stage: 3,
    write: async (tx, context, asked) => {
      const opened = await openForChange(tx, context, kind, asked.id);
      if (!opened.ok) return opened;
      const compared = await compareRead(tx, context, entityNow(opened.value), removal);
      if (!compared.ok) return compared.refusal;
      const binned = await setEntityBinned(tx, kind, opened.value.projectId, asked.id, true);
      if (!binned?.deletedAt) return notFound(kind, asked.id);
      const text = `The ${kind} ${asked.id} lies in the bin now.`;
      return wrote({ kind, id: asked.id }, text, `Put the ${kind} ${quoted(binned.title)} into the bin`);
    },
  });

const restoreOf = (kind: EntityKind): Tool =>
  defineWrite({
    name: `restore_${kind}`,
    description: `Takes a ${kind} out of the bin, as it was.`,
    args: z.strictObject({ id: id.describe(`Id of the ${kind} in the bin`) }),
    stage: 3,
    write: async (tx, context, asked) => {
      const opened = await openEntity(tx, context, kind, asked.id, "editor", true);
      if (!opened.ok) return opened;
      if (opened.value.deletedAt === null)
        return refuse("conflict", `The ${kind} ${asked.id} is not in the bin; there is nothing to restore.`);
      const restored = await setEntityBinned(tx, kind, opened.value.projectId, asked.id, false);
      if (!restored || restored.deletedAt) return notFound(kind, asked.id);
      const text = `The ${kind} ${asked.id} is out of the bin; it is at version ${restored.version}.`;
      return wrote({ kind, id: asked.id }, text, `Restored the ${kind} ${quoted(restored.title)}`);
    },
  });

export const binTools: readonly Tool[] = entityKinds.flatMap((kind) => [binOf(kind), restoreOf(kind)]);
