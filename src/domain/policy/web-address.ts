// Web addresses as the policy compares them. Two are the same if exactly the same request would be sent for both; whatever
// can be read in two ways (user names, backslashes, hidden characters, escaped hosts) is no address at all here.

/** Many servers cut longer ones, and people do not type them. */
const urlMax = 2_048;
/** Both bound the work on a text that somebody pasted. */
const textMax = 500_000;
const urlsMax = 500;

/** Parsers drop, trim or reinterpret these without a word. */
const treacherous = /[\s\\\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u;

/** A name of labels, without a dot at its end, or an address. */
const plainHost = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/;

/** The address as it would be requested, without its fragment, which is never sent; null where it is not a plain one. */
export function normalUrl(text: string): string | null {
  const url = plainUrl(text);
  if (url === null) return null;
  url.hash = "";
  return url.href;
}

/** Scheme, host and port; null where it is not a plain web address. */
export function originOf(text: string): string | null {
  return plainUrl(text)?.origin ?? null;
}

function plainUrl(text: string): URL | null {
  if (text.length > urlMax || treacherous.test(text)) return null;
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || /[@%]/.test(authority) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = ["http:", "https:"].includes(url.protocol) && url.username === "" && url.password === "";
  return isPlain && plainHost.test(url.hostname) && url.href.length <= urlMax ? url : null;
}

const inText = /https?:\/\/[^\s<>"'`\\^{|}\p{Cc}\p{Cf}\u3000-\u303f\uff00-\uff0f\u201c-\u201f\u00ab\u00bb]+/giu;

/** The addresses that stand in a text, normalised, each once, as a reader would see where they end. */
export function urlsIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [match] of text.slice(0, textMax).matchAll(inText)) {
    const url = normalUrl(withoutSentence(match.slice(0, urlMax + 1)));
    if (url !== null) found.add(url);
    if (found.size >= urlsMax) break;
  }
  return [...found];
}

/** More marks at the end of a sentence are noise. */
const marksMax = 20;

/** Punctuation at the end belongs to the sentence, and so does a bracket that was not opened in the address. */
function withoutSentence(match: string): string {
  let text = match;
  for (let cut = 0; cut < marksMax && (/[.,;:!?*_~…]$/.test(text) || closesNothing(text)); cut += 1)
    text = text.slice(0, -1);
  return text;
}

const brackets: Readonly<Record<string, string>> = { ")": "(", "]": "[" };

function closesNothing(text: string): boolean {
  const last = text.at(-1) ?? "";
  const opening = brackets[last];
  return opening !== undefined && text.split(opening).length < text.split(last).length;
}
