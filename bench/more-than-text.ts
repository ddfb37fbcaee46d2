// Why functions that take text and something else besides are not called by `hostile-text`, by the folder they are in. A parser among them
// that sees foreign text belongs into hostile-parsers.ts.

const inSchemas = "they take a state, a run or a view, whose texts are bounded by its schema";
const ofOwner = "they read what the owner of the installation wrote: settings and commands";

export const moreThanText: Readonly<Record<string, string>> = {
  "src/cli": ofOwner,
  "src/domain": inSchemas,
  "src/engine": inSchemas,
  "src/files": "they take a file that is bounded before it is read",
  "src/homr": inSchemas,
  "src/lib": "they take a shape or a reader; what reads through them is called",
  "src/llm": "tool calls and objects of models are in hostile-parsers.ts; the rest is the demo model's",
  "src/main": ofOwner,
  "src/notify": "incoming and outgoing messages are in hostile-parsers.ts",
  "src/prompts": "they join texts that are bounded where they are gathered",
  "src/protocol": inSchemas,
  "src/runner": "the bus is in hostile-parsers.ts; files are bounded before they are read",
  "src/runs": inSchemas,
  "src/server": "bodies and headers are bounded; parsing them is in hostile-parsers.ts",
  "src/tools": "pages are in hostile-parsers.ts; arguments of tools are bounded by their schema",
  "web/src": "they take what the API answers; Markdown and differences are in hostile-parsers.ts",
};
