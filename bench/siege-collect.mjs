// Loaded into the server of the siege: SIGUSR2 makes it collect what is dead, so that its memory before and after can be compared. V8 keeps pages
// for what may come next and lets them go only where memory is short, so it is told that it is; some pages go with a later collection.

const times = 8;
const betweenMs = 3_000;
const thorough = { type: "major", execution: "sync", flavor: "last-resort" };

process.on("SIGUSR2", () => {
  for (let count = 0; count < times; count += 1) setTimeout(() => globalThis.gc?.(thorough), count * betweenMs).unref();
});
