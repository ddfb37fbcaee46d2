// Loaded into the server of the siege: SIGUSR2 makes it collect what is dead, so that its memory before and after can be compared. V8 keeps pages
// that became free for a while and gives them back with a later collection, so it collects several times.

const times = 8;
const betweenMs = 3_000;

process.on("SIGUSR2", () => {
  for (let count = 0; count < times; count += 1) setTimeout(() => globalThis.gc?.(), count * betweenMs).unref();
});
