// docs/http-api.md, made from the contract: every route, who may call it, what goes in and what comes out.

import { errorCodes } from "../src/lib/app-error.ts";
import { routes } from "../src/protocol/api.ts";
import { describeApiNotes } from "../src/protocol/api-notes.ts";
import type { AnyRoute, Policy } from "../src/protocol/route.ts";

export function allRoutes(): readonly AnyRoute[] {
  return Object.values(routes).flatMap((family) => Object.values(family) as AnyRoute[]);
}

export function renderHttpReference(): string {
  const tags = [...new Set(allRoutes().map(({ tag }) => tag))];
  const families = tags.map((tag) => {
    const rows = allRoutes().filter((route) => route.tag === tag);
    return [`## ${tag}`, "", "| route | who | what |", "|---|---|---|", ...rows.map(routeRow), ""].join("\n");
  });
  return `${intro}\n${families.join("\n")}\n${errorTable()}\n## What changed\n\n${describeApiNotes()}\n`;
}

const intro = `# The HTTP API

Made from \`src/protocol\` by \`npm run generate\`. A running server describes it in full at \`/openapi.json\` (OpenAPI 3.1)
and shows it at \`/api-reference\`.

- Sign in with the session cookie of the web pages, or with \`Authorization: Bearer hw_…\` (an API key).
- Changes are sent as \`application/json\`. A page of another origin is refused.
- Lists take \`limit\` and \`cursor\` and answer \`{items, next_cursor}\`.
- A change of something names the \`version\` that was read; if someone else was quicker the answer is 409 \`stale_version\`
  with \`details.current\`.
- A POST marked *once* takes an \`Idempotency-Key\`: the same key creates once and is answered the same.
- An error is always \`{"error": {"code", "message", "details"}}\`.
`;

function routeRow({ method, path, policy, summary, creates, streams }: AnyRoute): string {
  const marks = `${creates ? " *(once)*" : ""}${streams ? " *(stream)*" : ""}`;
  return `| \`${method.toUpperCase()} ${path}\` | ${who(policy)} | ${summary}${marks} |`;
}

function who(policy: Policy): string {
  switch (policy.kind) {
    case "public":
      return "anyone";
    case "user":
      return `signed in, scope ${policy.scope}`;
    case "project":
      return `${policy.role} of the project, scope ${policy.scope}`;
    case "admin":
      return `manages the installation, scope ${policy.scope}`;
    default:
      return policy satisfies never;
  }
}

function errorTable(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { http, retry }]) => `| \`${code}\` | ${http} | ${retry === "backoff" ? "later" : "no"} |`,
  );
  return ["## Errors", "", "| code | status | worth trying again |", "|---|---|---|", ...rows, ""].join("\n");
}
