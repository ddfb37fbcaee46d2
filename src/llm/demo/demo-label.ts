// How everything the demo model writes is marked: its readers shall not take rules for an AI.

import type { Language } from "./read-objective.ts";

export const demoLabel = "_Drafted by the demo model: rules, no AI. Connect a real model for research._";

export const labels: Readonly<Record<Language, { readonly page: string; readonly line: string }>> = {
  en: { page: demoLabel, line: "(Demo model: rules, no AI.)" },
  de: {
    page: "_Entworfen vom Demo-Modell: Regeln, keine KI. Für Recherche ein echtes Modell verbinden._",
    line: "(Demo-Modell: Regeln, keine KI.)",
  },
};
