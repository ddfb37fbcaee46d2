// Which form of a file a client takes: compressed as well as possible, unless it says otherwise.

export type Encoding = "br" | "gzip";

/** The smallest first. */
const preferred: readonly Encoding[] = ["br", "gzip"];

/** The encodings that `accept-encoding` allows, the one to send first. Where it says nothing, none: the file as it is. */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  const weights = new Map((header ?? "").toLowerCase().split(",").map(readWeight));
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  return preferred.filter((name) => weightOf(name) > 0).sort((one, other) => weightOf(other) - weightOf(one));
}

/** `gzip;q=0.5`. What is no weight refuses, so that a client is never sent what it cannot read. */
function readWeight(part: string): [name: string, weight: number] {
  const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  if (given === undefined) return [name, 1];
  const weight = Number(given.slice(2));
  return [name, weight >= 0 && weight <= 1 ? weight : 0];
}
