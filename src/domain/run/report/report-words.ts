// The words of a report that are our own, in each language we have: headings, kinds of things, states of checks and the
// sentences that stand there when no model wrote a summary. Says nothing about a run.

import { type Language, languages } from "../../language.ts";
import type { RunStatus } from "../run.ts";

type Noun = readonly [one: string, many: string];
/** In the order of `languages`. */
type InEach<T> = readonly [en: T, de: T, fr: T, es: T];

const titles = {
  completed: ["Homework complete", "Homework erledigt", "Homework terminé", "Homework completado"],
  stopped: ["Homework stopped", "Homework angehalten", "Homework arrêté", "Homework detenido"],
  failed: ["Homework failed", "Homework fehlgeschlagen", "Homework échoué", "Homework fallido"],
  canceled: ["Homework canceled", "Homework abgebrochen", "Homework annulé", "Homework cancelado"],
  queued: ["Homework queued", "Homework eingereiht", "Homework en attente", "Homework en cola"],
  running: ["Homework running", "Homework läuft", "Homework en cours", "Homework en curso"],
  waiting_on_user: ["Homework needs you", "Homework braucht dich", "Homework a besoin de vous", "Homework te necesita"],
} satisfies Record<RunStatus, InEach<string>>;

const plain = {
  result: ["Result", "Ergebnis", "Résultat", "Resultado"],
  summary: ["Summary", "Zusammenfassung", "Résumé", "Resumen"],
  openQuestions: ["Open questions", "Offene Fragen", "Questions ouvertes", "Preguntas abiertas"],
  unsure: ["Not certain", "Unsicher", "Incertain", "Sin certeza"],
  messages: ["What you said", "Was du gesagt hast", "Ce que vous avez dit", "Lo que dijiste"],
  guidance: ["Guidance", "Hinweis", "Consigne", "Indicación"],
  answer: ["Answer", "Antwort", "Réponse", "Respuesta"],
  noWordOnIt: [
    "The run did not say how it took this up.",
    "Der Lauf hat nicht gesagt, wie er das aufgenommen hat.",
    "L'exécution n'a pas dit comment elle en a tenu compte.",
    "La ejecución no dijo cómo lo tuvo en cuenta.",
  ],
  checks: ["Checks", "Prüfungen", "Vérifications", "Comprobaciones"],
  checkChanges: ["Checks that changed", "Geänderte Prüfungen", "Vérifications modifiées", "Comprobaciones cambiadas"],
  approvedByYou: ["you approved this", "von dir genehmigt", "approuvé par vous", "aprobado por ti"],
  passed: ["passed", "bestanden", "réussie", "superada"],
  failed: ["failed", "nicht bestanden", "échouée", "no superada"],
  pending: ["pending", "ausstehend", "en attente", "pendiente"],
  noCommand: [
    "No command was run to check this.",
    "Zur Prüfung wurde kein Befehl ausgeführt.",
    "Aucune commande n'a été exécutée pour vérifier cela.",
    "No se ejecutó ningún comando para comprobarlo.",
  ],
  changes: ["What changed", "Was sich geändert hat", "Ce qui a changé", "Qué cambió"],
  created: ["Created", "Angelegt", "Créé", "Creado"],
  updated: ["Updated", "Geändert", "Modifié", "Modificado"],
  linked: ["Linked", "Verknüpft", "Lié", "Enlazado"],
  nothing: [
    "Nothing was created or updated.",
    "Es wurde nichts angelegt oder geändert.",
    "Rien n'a été créé ni modifié.",
    "No se creó ni se modificó nada.",
  ],
  sources: ["Sources", "Quellen", "Sources", "Fuentes"],
  effort: ["Cost", "Kosten", "Coût", "Coste"],
  active: ["active", "aktiv", "d'activité", "de actividad"],
  noPrice: ["no price known", "kein Preis bekannt", "prix inconnu", "precio desconocido"],
  lessThan: ["less than", "weniger als", "moins de", "menos de"],
  cached: ["cached", "aus dem Cache", "en cache", "en caché"],
  ending: ["How it ended", "Wie es endete", "Comment cela s'est terminé", "Cómo terminó"],
  objective: ["Objective", "Auftrag", "Objectif", "Objetivo"],
  and: ["and", "und", "et", "y"],
} satisfies Record<string, InEach<string>>;

/** One and many, apart by a bar. */
const forms = (...words: InEach<string>): InEach<Noun> =>
  words.map((word) => word.split("|")) as unknown as InEach<Noun>;

const kinds = {
  project: forms("project|projects", "Projekt|Projekte", "projet|projets", "proyecto|proyectos"),
  task: forms("task|tasks", "Aufgabe|Aufgaben", "tâche|tâches", "tarea|tareas"),
  goal: forms("goal|goals", "Ziel|Ziele", "but|buts", "meta|metas"),
  plan: forms("plan|plans", "Plan|Pläne", "plan|plans", "plan|planes"),
  milestone: forms("milestone|milestones", "Meilenstein|Meilensteine", "jalon|jalons", "hito|hitos"),
  document: forms("document|documents", "Dokument|Dokumente", "document|documents", "documento|documentos"),
};

const nouns = {
  iterations: forms("iteration|iterations", "Iteration|Iterationen", "itération|itérations", "iteración|iteraciones"),
  minutes: forms("minute|minutes", "Minute|Minuten", "minute|minutes", "minuto|minutos"),
  seconds: forms("second|seconds", "Sekunde|Sekunden", "seconde|secondes", "segundo|segundos"),
  files: forms("file|files", "Datei|Dateien", "fichier|fichiers", "archivo|archivos"),
  links: forms("link|links", "Verknüpfung|Verknüpfungen", "lien|liens", "enlace|enlaces"),
  tokens: forms("token|tokens", "Token|Tokens", "jeton|jetons", "token|tokens"),
  toolCalls: forms(
    "tool call|tool calls",
    "Werkzeugaufruf|Werkzeugaufrufe",
    "appel d'outil|appels d'outils",
    "llamada a herramientas|llamadas a herramientas",
  ),
};

const sentences = {
  passedOf: [
    (passed, of) => (of === 1 ? `${passed} of 1 check passed` : `${passed} of ${of} checks passed`),
    (passed, of) => (of === 1 ? `${passed} von 1 Prüfung bestanden` : `${passed} von ${of} Prüfungen bestanden`),
    (passed, of) => (of === 1 ? `${passed} vérification réussie sur 1` : `${passed} vérifications réussies sur ${of}`),
    (passed, of) => (of === 1 ? `${passed} de 1 comprobación superada` : `${passed} de ${of} comprobaciones superadas`),
  ],
  more: [
    (count) => `and ${count} more`,
    (count) => `und ${count} weitere`,
    (count) => `et ${count} de plus`,
    (count) => `y ${count} más`,
  ],
  workedFor: [
    (iterations, time) => `The run worked for ${time} in ${iterations}.`,
    (iterations, time) => `Der Lauf hat gearbeitet: ${time}, ${iterations}.`,
    (iterations, time) => `L'exécution a travaillé ${time} en ${iterations}.`,
    (iterations, time) => `La ejecución trabajó ${time} en ${iterations}.`,
  ],
  didCreate: [
    (things) => `It created ${things}.`,
    (things) => `Angelegt: ${things}.`,
    (things) => `Créé : ${things}.`,
    (things) => `Creado: ${things}.`,
  ],
  didUpdate: [
    (things) => `It updated ${things}.`,
    (things) => `Geändert: ${things}.`,
    (things) => `Modifié : ${things}.`,
    (things) => `Modificado: ${things}.`,
  ],
} satisfies {
  passedOf: InEach<(passed: number, of: number) => string>;
  more: InEach<(count: number) => string>;
  workedFor: InEach<(iterations: string, time: string) => string>;
  didCreate: InEach<(things: string) => string>;
  didUpdate: InEach<(things: string) => string>;
};

type Picked<Table> = { readonly [Key in keyof Table]: Table[Key] extends InEach<infer T> ? T : never };

export type ReportWords = Picked<typeof plain & typeof nouns & typeof sentences> & {
  readonly titles: Picked<typeof titles>;
  readonly kinds: Readonly<Record<string, Noun>>;
};

const pick = <Table extends Record<string, InEach<unknown>>>(table: Table, language: Language): Picked<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([key, words]) => [key, words[languages.indexOf(language)]]),
  ) as Picked<Table>;

const wordsIn = (language: Language): ReportWords => ({
  ...pick({ ...plain, ...nouns, ...sentences }, language),
  titles: pick(titles, language),
  kinds: pick(kinds, language),
});

export const reportWords: Readonly<Record<Language, ReportWords>> = {
  en: wordsIn("en"),
  de: wordsIn("de"),
  fr: wordsIn("fr"),
  es: wordsIn("es"),
};

/** `9 tasks`; thousands apart as the rest of our figures. */
export function countNoun(count: number, [one, many]: Noun): string {
  return `${String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",")} ${count === 1 ? one : many}`;
}

/** Kinds we have no word for are called by their own. */
export const countKind = (words: ReportWords, count: number, type: string): string =>
  countNoun(count, words.kinds[type] ?? [type, type]);

/** `a, b and c`. */
export const joinWords = ({ and }: ReportWords, parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${and} ${parts.at(-1)}`;
