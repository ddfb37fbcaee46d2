// Takes keys out of texts that leave this folder: errors of providers quote what they were sent.

const shown = "[key]";
/** A shorter secret would be found in every second word. */
const secretMinLength = 6;
/** Enough to see what is meant; a provider may answer with a whole page. */
const whyMax = 500;

export type Redact = (text: string) => string;

export function redacting(secrets: readonly (string | null)[]): Redact {
  const known = secrets.filter((secret): secret is string => secret !== null && secret.length >= secretMinLength);
  // The longest first: one may begin with another.
  const sorted = known.sort((a, b) => b.length - a.length);
  return (text) => {
    const clean = sorted.reduce((left, secret) => left.replaceAll(secret, shown), text);
    return clean.length > whyMax ? `${clean.slice(0, whyMax)}…` : clean;
  };
}
