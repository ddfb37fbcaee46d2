// The OpenAPI description and a page to read it with. The page is ours to serve: it loads nothing from outside.

import { createRequire } from "node:module";
import path from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { describeApiNotes } from "../protocol/api-notes.ts";
import { sendPage } from "./static-files.ts";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Homework: HTTP API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api-reference/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<script src="/api-reference/swagger-ui-bundle.js"></script>
<script nonce="__CSP_NONCE__">
SwaggerUIBundle({ url: "/openapi.json", dom_id: "#reference", deepLinking: true, docExpansion: "none", validatorUrl: null });
</script>
</body>
</html>`;

const files = ["swagger-ui.css", "swagger-ui-bundle.js"];

export function mountApiReference(app: OpenAPIHono, version: string): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "key", { type: "http", scheme: "bearer" });
  app.openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "homework.session_token",
  });
  let described: unknown = null; // Made at the first request: it takes a while and never changes.
  app.get("/openapi.json", (c) => {
    described ??= describeApi(app, version);
    return c.json(described as object);
  });
  const root = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  for (const file of files)
    app.get(`/api-reference/${file}`, serveStatic({ root, rewriteRequestPath: () => `/${file}` }));
  app.get("/api-reference", (c) => sendPage(c, page));
}

function describeApi(app: OpenAPIHono, version: string) {
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Homework",
      version,
      description: `Every answer that is not 2xx has the shape \`{error: {code, message, details}}\`.\n\nWhat changed:\n\n${describeApiNotes()}`,
    },
  });
}
