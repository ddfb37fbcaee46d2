// The kind of thing the address is about. The router lets known ones through only.

import { useParams } from "@tanstack/react-router";
import { type EntityKind, kindOfPlural } from "../../../../src/protocol/kinds.ts";

export function useKind(): EntityKind {
  const { plural } = useParams({ strict: false });
  const kind = kindOfPlural(plural ?? "");
  if (!kind) throw new Error(`No kind of thing is called ${plural}`);
  return kind;
}
