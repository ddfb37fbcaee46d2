// `fetch` whose answers end at a limit, for servers that would send more than anyone can read.

/** As for a line of a server that is our child. */
const bytesMax = 8_000_000;

export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > bytesMax) controller.error(new Error("the server sent too much"));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
};
