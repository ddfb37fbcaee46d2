// Which pages this server has: `run-agent serve` has those of agents alone, with no one signed in. The server says so in the page itself.

const pages = globalThis.document?.querySelector('meta[name="pages"]')?.getAttribute("content");

export const isAgentsOnly = pages === "agents";

/** In titles of browser tabs. */
export const productName = isAgentsOnly ? "run-agent" : "Homework";
