import { expect, test } from "vitest";
import { detectLanguage } from "./language.ts";

test.each([
  ["Write a decision paper on heat pumps for our house, with three options and sources.", "en"],
  ["Plan my kitchen", "en"],
  ["Schreibe ein Entscheidungspapier zu Wärmepumpen für unser Haus, mit drei Optionen.", "de"],
  ["Vergleiche drei Fahrräder und erstelle eine Tabelle", "de"],
  ["Rédige une note de décision sur les pompes à chaleur pour notre maison", "fr"],
  ["Compare trois vélos et fais un tableau avec les prix", "fr"],
  ["Escribe un documento sobre bombas de calor para nuestra casa, con tres opciones", "es"],
  ["¿Qué bicicleta debe comprar mi hermana?", "es"],
  ["Tokyo 2031", "en"],
  ["", "en"],
  ["東京への旅行を計画する", "en"],
] as const)("%s is %s", (text, language) => expect(detectLanguage(text)).toBe(language));

test("a foreign name in a sentence does not change its language", () =>
  expect(detectLanguage("Find a table at Café des Deux Moulins for the four of us")).toBe("en"));
