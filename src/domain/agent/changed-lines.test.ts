import { expect, test } from "vitest";
import { readChangedLines } from "./changed-lines.ts";

const diff = `diff --git a/VERSION b/VERSION
index 1..2 100644
--- a/VERSION
+++ b/VERSION
@@ -1 +1 @@
-1.2.3
\\ No newline at end of file
+1.2.4
\\ No newline at end of file
diff --git a/a list.md b/a list.md
--- a/a list.md\t
+++ b/a list.md\t
@@ -1,2 +1 @@
 kept
--- a line that begins with dashes
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/logo.png b/logo.png
new file mode 100644
Binary files /dev/null and b/logo.png differ
diff --git a/old name b/new name
similarity index 100%
rename from old name
rename to new name
`;

test.each([
  ["VERSION", { added: ["1.2.4"], removed: ["1.2.3"], notes: [] }],
  ["a list.md", { added: [], removed: ["-- a line that begins with dashes"], notes: [] }],
  ["gone.txt", { added: [], removed: ["gone"], notes: ["deleted file mode 100644"] }],
  ["run.sh", { added: [], removed: [], notes: ["old mode 100644", "new mode 100755"] }],
  ["logo.png", { notes: ["new file mode 100644", "Binary files /dev/null and b/logo.png differ"] }],
  ["old name", { notes: ["rename from old name", "rename to new name"] }],
  ["new name", { notes: ["rename from old name", "rename to new name"] }],
])("a diff tells what changed in %s", (path, expected) =>
  expect(readChangedLines(diff).get(path)).toMatchObject(expected),
);

test("text of a file is never taken for a header", () => {
  const file = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+diff --git a/y b/y\n+new mode 100755\n`;
  expect([...readChangedLines(file).keys()]).toEqual(["x"]);
});
