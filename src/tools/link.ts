// link: says how two things belong together. The tree of documents is not made here but with move_document.

import { z } from "zod";
import { documentTreeRel } from "../domain/entity/kinds.ts";
import { createEdge } from "../store/edge-store.ts";
import { id, props, source, typeKey } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { markNew } from "./homework-tag.ts";
import { notFound, openNode } from "./scope.ts";
import { refuse } from "./tool.ts";

const args = z.strictObject({
  src_id: id.describe("Id of the thing the link goes from"),
  rel: typeKey.describe("How they belong together: supports, part_of, depends_on, relates_to, …"),
  dst_id: id.describe("Id of the thing the link goes to"),
  props: props.optional(),
  source,
});

export const link = defineWrite<z.output<typeof args>>({
  name: "link",
  description:
    "Links two things (tasks, goals, plans, milestones, documents) with a word for how they belong together.",
  args,
  tags: [],
  stage: 2,
  write: async (tx, context, asked) => {
    const edgeId = context.newId();
    if (asked.rel === documentTreeRel)
      return refuse("invalid_arguments", "The tree of documents is changed with move_document.");
    if (asked.src_id === asked.dst_id) return refuse("invalid_arguments", "A thing cannot be linked to itself.");
    const src = await openNode(tx, context, asked.src_id, "editor");
    if (!src.ok) return src;
    const dst = await openNode(tx, context, asked.dst_id, "viewer");
    if (!dst.ok) return dst;
    const where = { id: edgeId, projectId: src.value.projectId, by: context.userId };
    const edge = await createEdge(tx, where, {
      src_id: asked.src_id,
      rel: asked.rel,
      dst_id: asked.dst_id,
      props: markNew(context, asked.props, { source: asked.source }),
    });
    if (edge === null) return notFound("thing", asked.dst_id);
    return {
      ok: true,
      text: `Linked ${src.value.kind} ${asked.src_id} to ${dst.value.kind} ${asked.dst_id} as ${asked.rel}: link ${edgeId}.`,
      artifacts: [{ kind: "edge", id: edgeId }],
      summary: `Linked ${quoted(src.value.title)} to ${quoted(dst.value.title)} (${asked.rel})`,
      isUntrusted: false,
    };
  },
});
