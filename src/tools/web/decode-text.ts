// Bytes of a page as text, in the encoding that the server or the page names; what cannot be decoded becomes U+FFFD.

/** Where a page has to name its encoding, by the HTML standard. */
const headBytes = 1_024;

export function decodeText(bytes: Uint8Array, contentType: string, mediaType: string): string {
  const named =
    labelIn(contentType) ?? (mediaType.includes("html") || mediaType.includes("xml") ? inHead(bytes) : null);
  return decode(bytes, named);
}

function inHead(bytes: Uint8Array): string | null {
  return labelIn(new TextDecoder("latin1").decode(bytes.subarray(0, headBytes)));
}

function labelIn(text: string): string | null {
  return /(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(text)?.[1] ?? null;
}

function decode(bytes: Uint8Array, label: string | null): string {
  try {
    return new TextDecoder(label ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // the name of the encoding is unknown
  }
}
