// Loaded into the server of the siege: SIGUSR2 makes it collect what is dead, so that its memory before and after can be compared.

process.on("SIGUSR2", () => {
  // The second one takes what the first one's finalizers let go.
  globalThis.gc?.();
  setTimeout(() => globalThis.gc?.(), 1_000).unref();
});
