import { expect, test } from "vitest";
import { documentOf, newSince, shownDocuments, type Workspace, type WorkspaceDocument } from "./workspace.ts";

const document = (id: string, type: string): WorkspaceDocument => ({
  id,
  project_id: "p",
  title: id,
  type_key: `document.${type}`,
  parent_id: null,
  path: null,
  tags: [],
});
const documents = [
  document("pad", "homework.scratchpad"),
  document("root", "homework.workspace"),
  document("brief", "homework.note"),
  document("branch", "homework.branch"),
];
const workspace = (ids: readonly string[]): Workspace => ({
  root_document_id: "root",
  project_id: "p",
  documents: documents.filter(({ id }) => ids.includes(id)),
  edges: [],
  scratchpad: null,
});
const all = workspace(["pad", "root", "brief", "branch"]);
const ids = (found: readonly WorkspaceDocument[]) => found.map(({ id }) => id);

test("the document that was asked for is shown", () => expect(documentOf(all, "branch")?.id).toBe("branch"));

test("one that is not there is not replaced by another", () => expect(documentOf(all, "gone")).toBeUndefined());

test("without a wish, the first that was written is shown", () => expect(documentOf(all, undefined)?.id).toBe("brief"));

test("before anything was written, the first page of the workspace is shown", () =>
  expect(documentOf(workspace(["pad", "root"]), undefined)?.id).toBe("root"));

test("pages the run keeps for itself are shown to who asks for them", () => {
  expect(ids(shownDocuments(documents, false, undefined))).toEqual(["brief", "branch"]);
  expect(ids(shownDocuments(documents, true, undefined))).toEqual(ids(documents));
});

test("a page that is being read is in the tree in any case", () =>
  expect(ids(shownDocuments(documents, false, "pad"))).toEqual(["pad", "brief", "branch"]));

test("of several with the same title, later ones have a number", () => {
  const same = ["one", "two"].map((id) => ({ ...document(id, "homework.note"), title: "Findings" }));
  expect(shownDocuments(same, false, undefined).map(({ title }) => title)).toEqual(["Findings", "Findings (2)"]);
});

test("new is what came later and was not opened yet", () =>
  expect([...newSince(documents, new Set(["pad", "root"]), new Set(["brief"]))]).toEqual(["branch"]));
