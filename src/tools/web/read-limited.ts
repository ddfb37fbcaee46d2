// The text of an answer of `fetch`, up to a limit.

/** Throws where there is more: half an answer is of no use. */
export async function readLimited(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes: Uint8Array = chunk;
    size += bytes.length;
    if (size > bytesMax) throw new Error(`more than ${bytesMax} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
