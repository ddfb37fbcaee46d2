// Which words at the front of an objective ask for which kind of work. Looked up, never guessed: what is not in the table is
// a project.

export const families = ["event", "project", "build", "research", "write", "learn", "fix"] as const;
export type Family = (typeof families)[number];

/** Beginnings of objectives in English, the longer ones first. `plan` words become an event where one is named. */
const verbs: readonly (readonly [Family, RegExp])[] = [
  ["event", /^(?:host|throw|celebrate|hold)\b/i],
  [
    "research",
    /^(?:research|find out(?: about)?|look into|investigate|explore|compare|evaluate|assess|analy[sz]e|review|choose(?: between)?|pick|decide(?: on| between)?|recommend|find|buy|purchase|rent|hire|book|identify|collect|gather|summari[sz]e|survey|check)\b/i,
  ],
  [
    "write",
    /^(?:write(?: up| down)?|draft|document|compose|edit|translate|describe|outline|rewrite|proofread|blog about)\b/i,
  ],
  [
    "learn",
    /^(?:learn(?: about)?|study(?: for)?|teach(?: me| us)?|practi[sc]e|understand|explain|train(?: for)?|memori[sz]e|master)\b/i,
  ],
  [
    "fix",
    /^(?:fix|repair|improve|debug|solve|resolve|reduce|speed up|clean up|tidy up|refactor|optimi[sz]e|cut|lower|increase|raise|simplify|stop|get rid of|clean|tidy)\b/i,
  ],
  ["build", /^(?:build|develop|implement|code|program|design|make|create|set up|construct|prototype|invent)\b/i],
  [
    "project",
    /^(?:plan(?: out)?|prepare(?: for)?|launch|start|open|manage|coordinate|arrange|schedule|introduce|organi[sz]e|run|move|found|grow|migrate|upgrade|moderni[sz]e|sell|switch)\b/i,
  ],
];

/** Stems in other languages: enough to choose a kind of work by. */
const foreign: readonly (readonly [Family, RegExp])[] = [
  ["event", /(?<!\p{L})(?:organisier|veranstalt|feier|organiser une f|organis|organiza)|组织|举办|開催|イベント/iu],
  [
    "research",
    /(?<!\p{L})(?:recherchier|vergleich|untersuch|finde heraus|such|compar|recherch|investig|analys|confronta)|比较|研究|调查|调研|調べ|比較|сравни|исследу/iu,
  ],
  [
    "write",
    /(?<!\p{L})(?:schreib|verfass|entwirf|übersetz|écri|rédige|escrib|redact|scrivi|napisz)|写|書く|書いて|напиши/iu,
  ],
  ["learn", /(?<!\p{L})(?:lern|erkläre?|apprend|aprend|impara|estudi|étudi)|学习|勉強|выучи|изучи/iu],
  [
    "fix",
    /(?<!\p{L})(?:reparier|verbesser|behebe?|beheben|optimier|senke|améliore|répare|corrig|mejora|repara|migliora)|修复|改进|改善|优化|修理|исправ|улучш/iu,
  ],
  [
    "build",
    /(?<!\p{L})(?:baue?|entwickle|erstelle?|gestalte|construi|dévelop|crée|desarroll|crea|sviluppa)|开发|建立|创建|制作|作る|作って|создай|построй/iu,
  ],
  [
    "project",
    /(?<!\p{L})(?:plane?|planen|bereite|planifi|prépar|prepar|pianifica)|计划|规划|安排|計画|спланируй|подготовь/iu,
  ],
];

const gathering =
  /\b(?:launch|event|part(?:y|ies)|festival|conference|meet-?up|workshop|caf[eé]|wedding|concert|fair|market|exhibition|opening|fundraiser|tournament|camp|gathering|reunion|picnic|fête|fete|feast|open day|hackathon|marathon|race|parade|ceremony|birthday|celebration|seminar|retreat|sale|show|gala)\b/i;
const foreignGathering =
  /\p{L}*(?:fest|feier|hochzeit|konferenz|flohmarkt|mariage|fête|fiesta|boda|sagra)\b|活动|派对|婚礼|会议|节日|祭り|パーティー|праздник|свадьб/iu;

export type Verb = { readonly family: Family; readonly verb: string; readonly rest: string };

/** "Make it faster" is about something that is there already. */
const better =
  /^make (.+?) (?:run |work |look )?(?:(?:much |a lot )?(?:faster|better|easier|cheaper|simpler|safer|quieter|cleaner|smaller|nicer)|(?:more|less) \p{L}+)\b/iu;

/** What the sentence begins with, and what is left of it. */
export function readVerb(sentence: string): Verb | null {
  const [, mended] = better.exec(sentence) ?? [];
  if (mended !== undefined) return { family: "fix", verb: "improve", rest: mended };
  for (const [family, pattern] of verbs) {
    const [verb] = pattern.exec(sentence) ?? [];
    if (verb === undefined) continue;
    const rest = sentence.slice(verb.length).trim();
    return { family: familyFor(family, verb, rest), verb: verb.trim().toLowerCase(), rest };
  }
  return null;
}

/** A plan for an event is an event; a plan that is to be made is a project. */
function familyFor(family: Family, verb: string, rest: string): Family {
  if (family !== "project" && family !== "build") return family;
  if (/\b(?:app|site|website|software)\b/i.test(rest)) return family;
  // Whoever runs a marathon does not give one.
  if (gathering.test(rest) && !/^run$/i.test(verb.trim())) return "event";
  const [head = ""] = rest.split(/ (?:for|of|to|in|with|that) /i);
  return /\b(?:plan|strategy|schedule|roadmap|budget|routine|campaign|business|company|club)$/i.test(head)
    ? "project"
    : family;
}

/** For a sentence that is not English, or begins with no verb we know. */
export function familyOf(text: string, isEnglish: boolean): Family {
  if (isEnglish) return gathering.test(text) ? "event" : (verbAnywhere(text) ?? "project");
  if (foreignGathering.test(text)) return "event";
  return foreign.find(([, pattern]) => pattern.test(text))?.[0] ?? "project";
}

/** Error messages and code are there to be mended; an essay is there to be written. */
function verbAnywhere(text: string): Family | null {
  if (
    /\b(?:error|exception|bug|broken|fails?|failing|crash(?:es)?|slow|leak(?:s|ing)?|problems?|keeps? \p{L}+ing|too \p{L}+|does(?:n't| not) work)\b/iu.test(
      text,
    )
  )
    return "fix";
  if (/\b(?:essay|article|letter|report|blog|novel|story|guide|manual|readme|speech|cv|résumé)\b/i.test(text))
    return "write";
  if (/\b(?:course|lesson|exam|language|homework)\b/i.test(text)) return "learn";
  if (/\b(?:versus|vs\.?|or|best|cheapest|which|whether|why|options)\b/i.test(text)) return "research";
  if (/\b(?:app|website|software|api|prototype|tool)\b/i.test(text)) return "build";
  return null;
}
