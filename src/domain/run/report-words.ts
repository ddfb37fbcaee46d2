// The words of a report that are our own, in each language we have: headings, kinds of things, states of checks and the
// sentences that stand there when no model wrote a summary. Says nothing about a run.

import type { Language } from "../language.ts";
import type { RunStatus } from "./run.ts";

type Noun = readonly [one: string, many: string];

export type ReportWords = {
  readonly titles: Readonly<Record<RunStatus, string>>;
  readonly result: string;
  readonly summary: string;
  readonly openQuestions: string;
  readonly unsure: string;
  readonly messages: string;
  readonly guidance: string;
  readonly answer: string;
  readonly noWordOnIt: string;
  readonly checks: string;
  readonly passed: string;
  readonly failed: string;
  readonly pending: string;
  readonly passedOf: (passed: number, of: number) => string;
  readonly changes: string;
  readonly created: string;
  readonly updated: string;
  readonly linked: string;
  readonly nothing: string;
  readonly more: (count: number) => string;
  readonly effort: string;
  readonly active: string;
  readonly noPrice: string;
  readonly cached: string;
  readonly ending: string;
  readonly objective: string;
  readonly and: string;
  readonly kinds: Readonly<Record<string, Noun>>;
  readonly iterations: Noun;
  readonly minutes: Noun;
  readonly seconds: Noun;
  readonly links: Noun;
  readonly tokens: Noun;
  readonly toolCalls: Noun;
  readonly workedFor: (iterations: string, time: string) => string;
  readonly didCreate: (things: string) => string;
  readonly didUpdate: (things: string) => string;
};

const en: ReportWords = {
  titles: {
    completed: "Homework complete",
    stopped: "Homework stopped",
    failed: "Homework failed",
    canceled: "Homework canceled",
    queued: "Homework queued",
    running: "Homework running",
    waiting_on_user: "Homework needs you",
  },
  result: "Result",
  summary: "Summary",
  openQuestions: "Open questions",
  unsure: "Not certain",
  messages: "What you said",
  guidance: "Guidance",
  answer: "Answer",
  noWordOnIt: "The run did not say how it took this up.",
  checks: "Checks",
  passed: "passed",
  failed: "failed",
  pending: "pending",
  passedOf: (passed, of) => (of === 1 ? `${passed} of 1 check passed` : `${passed} of ${of} checks passed`),
  changes: "What changed",
  created: "Created",
  updated: "Updated",
  linked: "Linked",
  nothing: "Nothing was created or updated.",
  more: (count) => `and ${count} more`,
  effort: "Cost",
  active: "active",
  noPrice: "no price known",
  cached: "cached",
  ending: "How it ended",
  objective: "Objective",
  and: "and",
  kinds: {
    project: ["project", "projects"],
    task: ["task", "tasks"],
    goal: ["goal", "goals"],
    plan: ["plan", "plans"],
    milestone: ["milestone", "milestones"],
    document: ["document", "documents"],
  },
  iterations: ["iteration", "iterations"],
  minutes: ["minute", "minutes"],
  seconds: ["second", "seconds"],
  links: ["link", "links"],
  tokens: ["token", "tokens"],
  toolCalls: ["tool call", "tool calls"],
  workedFor: (iterations, time) => `The run worked for ${time} in ${iterations}.`,
  didCreate: (things) => `It created ${things}.`,
  didUpdate: (things) => `It updated ${things}.`,
};

const de: ReportWords = {
  titles: {
    completed: "Homework erledigt",
    stopped: "Homework angehalten",
    failed: "Homework fehlgeschlagen",
    canceled: "Homework abgebrochen",
    queued: "Homework eingereiht",
    running: "Homework läuft",
    waiting_on_user: "Homework braucht dich",
  },
  result: "Ergebnis",
  summary: "Zusammenfassung",
  openQuestions: "Offene Fragen",
  unsure: "Unsicher",
  messages: "Was du gesagt hast",
  guidance: "Hinweis",
  answer: "Antwort",
  noWordOnIt: "Der Lauf hat nicht gesagt, wie er das aufgenommen hat.",
  checks: "Prüfungen",
  passed: "bestanden",
  failed: "nicht bestanden",
  pending: "ausstehend",
  passedOf: (passed, of) =>
    of === 1 ? `${passed} von 1 Prüfung bestanden` : `${passed} von ${of} Prüfungen bestanden`,
  changes: "Was sich geändert hat",
  created: "Angelegt",
  updated: "Geändert",
  linked: "Verknüpft",
  nothing: "Es wurde nichts angelegt oder geändert.",
  more: (count) => `und ${count} weitere`,
  effort: "Kosten",
  active: "aktiv",
  noPrice: "kein Preis bekannt",
  cached: "aus dem Cache",
  ending: "Wie es endete",
  objective: "Auftrag",
  and: "und",
  kinds: {
    project: ["Projekt", "Projekte"],
    task: ["Aufgabe", "Aufgaben"],
    goal: ["Ziel", "Ziele"],
    plan: ["Plan", "Pläne"],
    milestone: ["Meilenstein", "Meilensteine"],
    document: ["Dokument", "Dokumente"],
  },
  iterations: ["Iteration", "Iterationen"],
  minutes: ["Minute", "Minuten"],
  seconds: ["Sekunde", "Sekunden"],
  links: ["Verknüpfung", "Verknüpfungen"],
  tokens: ["Token", "Tokens"],
  toolCalls: ["Werkzeugaufruf", "Werkzeugaufrufe"],
  workedFor: (iterations, time) => `Der Lauf hat gearbeitet: ${time}, ${iterations}.`,
  didCreate: (things) => `Angelegt: ${things}.`,
  didUpdate: (things) => `Geändert: ${things}.`,
};

const fr: ReportWords = {
  titles: {
    completed: "Homework terminé",
    stopped: "Homework arrêté",
    failed: "Homework échoué",
    canceled: "Homework annulé",
    queued: "Homework en attente",
    running: "Homework en cours",
    waiting_on_user: "Homework a besoin de vous",
  },
  result: "Résultat",
  summary: "Résumé",
  openQuestions: "Questions ouvertes",
  unsure: "Incertain",
  messages: "Ce que vous avez dit",
  guidance: "Consigne",
  answer: "Réponse",
  noWordOnIt: "L'exécution n'a pas dit comment elle en a tenu compte.",
  checks: "Vérifications",
  passed: "réussie",
  failed: "échouée",
  pending: "en attente",
  passedOf: (passed, of) =>
    of === 1 ? `${passed} vérification réussie sur 1` : `${passed} vérifications réussies sur ${of}`,
  changes: "Ce qui a changé",
  created: "Créé",
  updated: "Modifié",
  linked: "Lié",
  nothing: "Rien n'a été créé ni modifié.",
  more: (count) => `et ${count} de plus`,
  effort: "Coût",
  active: "d'activité",
  noPrice: "prix inconnu",
  cached: "en cache",
  ending: "Comment cela s'est terminé",
  objective: "Objectif",
  and: "et",
  kinds: {
    project: ["projet", "projets"],
    task: ["tâche", "tâches"],
    goal: ["but", "buts"],
    plan: ["plan", "plans"],
    milestone: ["jalon", "jalons"],
    document: ["document", "documents"],
  },
  iterations: ["itération", "itérations"],
  minutes: ["minute", "minutes"],
  seconds: ["seconde", "secondes"],
  links: ["lien", "liens"],
  tokens: ["jeton", "jetons"],
  toolCalls: ["appel d'outil", "appels d'outils"],
  workedFor: (iterations, time) => `L'exécution a travaillé ${time} en ${iterations}.`,
  didCreate: (things) => `Créé : ${things}.`,
  didUpdate: (things) => `Modifié : ${things}.`,
};

const es: ReportWords = {
  titles: {
    completed: "Homework completado",
    stopped: "Homework detenido",
    failed: "Homework fallido",
    canceled: "Homework cancelado",
    queued: "Homework en cola",
    running: "Homework en curso",
    waiting_on_user: "Homework te necesita",
  },
  result: "Resultado",
  summary: "Resumen",
  openQuestions: "Preguntas abiertas",
  unsure: "Sin certeza",
  messages: "Lo que dijiste",
  guidance: "Indicación",
  answer: "Respuesta",
  noWordOnIt: "La ejecución no dijo cómo lo tuvo en cuenta.",
  checks: "Comprobaciones",
  passed: "superada",
  failed: "no superada",
  pending: "pendiente",
  passedOf: (passed, of) =>
    of === 1 ? `${passed} de 1 comprobación superada` : `${passed} de ${of} comprobaciones superadas`,
  changes: "Qué cambió",
  created: "Creado",
  updated: "Modificado",
  linked: "Enlazado",
  nothing: "No se creó ni se modificó nada.",
  more: (count) => `y ${count} más`,
  effort: "Coste",
  active: "de actividad",
  noPrice: "precio desconocido",
  cached: "en caché",
  ending: "Cómo terminó",
  objective: "Objetivo",
  and: "y",
  kinds: {
    project: ["proyecto", "proyectos"],
    task: ["tarea", "tareas"],
    goal: ["meta", "metas"],
    plan: ["plan", "planes"],
    milestone: ["hito", "hitos"],
    document: ["documento", "documentos"],
  },
  iterations: ["iteración", "iteraciones"],
  minutes: ["minuto", "minutos"],
  seconds: ["segundo", "segundos"],
  links: ["enlace", "enlaces"],
  tokens: ["token", "tokens"],
  toolCalls: ["llamada a herramientas", "llamadas a herramientas"],
  workedFor: (iterations, time) => `La ejecución trabajó ${time} en ${iterations}.`,
  didCreate: (things) => `Creado: ${things}.`,
  didUpdate: (things) => `Modificado: ${things}.`,
};

export const reportWords: Readonly<Record<Language, ReportWords>> = { en, de, fr, es };

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
