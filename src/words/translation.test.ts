import { expect, test } from "vitest";
import { findMessages } from "./find-messages.ts";
import { judgeTranslation, openTranslation, writeCatalogue } from "./translation.ts";

const found = new Map([
  ["web/src/b.ts", findMessages("b.ts", "const a = [`${n} words left`, 'Save it'];")],
  ["web/src/a.ts", findMessages("a.ts", "const a = ['Save it', n.toLocaleString('en')];")],
]);

test("the catalogue is sorted by file, and leaves out what is no word", () => {
  expect(JSON.parse(writeCatalogue(found))).toEqual({
    "web/src/a.ts": { "Save it": "Save it" },
    "web/src/b.ts": { "{0} words left": "{0} words left", "Save it": "Save it" },
  });
  expect(writeCatalogue(found).indexOf("a.ts")).toBeLessThan(writeCatalogue(found).indexOf("b.ts"));
});

test("what is translated in one file holds in all, unless one says it in its own way", () => {
  const { forFile } = openTranslation("de", {
    "a.ts": { Save: "Sichern", Open: "" },
    "b.ts": { Save: "Speichern", Open: "Öffnen" },
  });
  expect(forFile("b.ts").translate("Save")).toBe("Speichern");
  expect(forFile("c.ts").translate("Save")).toBe("Sichern");
  expect(forFile("a.ts").translate("Open")).toBe("Öffnen");
  expect(forFile("a.ts").translate("Close")).toBeNull();
});

test("a translation is told what it lacks, what does not fit and what nothing says any more", () => {
  expect(judgeTranslation(found, { "x.ts": { "{0} words left": "Wörter", "Old words": "Alt" } })).toEqual({
    missing: { "web/src/b.ts": { "Save it": "" } },
    wrong: ["web/src/b.ts: {0} words left"],
    unused: ["Old words"],
  });
});
