// What an answer to "may it?" means. Only clear words count: whatever says more than yes or no is a wish to change something,
// never an approval. For staged writes a wish turns all of them down; for a plan, both no and a wish make it plan again.

export type ApprovalAnswer =
  | { readonly kind: "approved" }
  | { readonly kind: "rejected" }
  /** Anything else: what should be different. */
  | { readonly kind: "edited"; readonly wish: string };

const objects = ["", " all", " it", " them", " the plan"];
/** Whole answers, but for case, quotes, blanks and a full stop or exclamation mark at the end. */
const answersWith = (verb: string, ...others: readonly string[]): readonly string[] => [
  ...objects.map((object) => `${verb}${object}`),
  ...others,
];

const approving = answersWith("approve", "approved", "yes", "yes please", "y", "ok", "okay", "go", "go ahead");
const rejecting = answersWith("reject", "rejected", "no", "no thanks", "n");

export function readApproval(answer: string): ApprovalAnswer {
  const words = bare(answer);
  if (approving.includes(words)) return { kind: "approved" };
  if (rejecting.includes(words)) return { kind: "rejected" };
  return { kind: "edited", wish: answer.trim() };
}

const quotes = "\"'“”‘’`";
/** Behind the words. A question mark stays: "yes?" approves of nothing. */
const atEnd = `${quotes}.! `;
/** Longer answers say more than yes or no; what stands around a word has a few characters. */
const bareMax = 100;

function bare(answer: string): string {
  const words = answer.trim();
  if (words.length > bareMax) return words;
  let [start, end] = [0, words.length];
  while (start < end && quotes.includes(words[start] ?? "")) start += 1;
  while (end > start && atEnd.includes((words[end - 1] ?? "").replace(/\s/, " "))) end -= 1;
  return words.slice(start, end).replaceAll(/\s+/g, " ").toLowerCase();
}
