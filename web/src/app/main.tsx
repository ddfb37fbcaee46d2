// The entry of the web pages: makes the query client and the router, and mounts them.

import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/source-serif-4/wght.css";
import "@fontsource-variable/source-serif-4/wght-italic.css";
import "./global.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { readCspNonce, shareCspNonce } from "../lib/csp-nonce.ts";
import { createQueryClient } from "../lib/query-client.ts";
import { Providers } from "./providers.tsx";
import { createAppRouter } from "./router.tsx";
import { goToSignIn } from "./sign-in-gate.ts";

const nonce = readCspNonce();
shareCspNonce(nonce);

const queryClient = createQueryClient({ onSignedOut: () => goToSignIn(router, queryClient) });
const router = createAppRouter(queryClient);
// The page's code comes while the server is asked who this is.
const [matchedRoutes] = router.getMatchedRoutes(location.pathname);
for (const route of matchedRoutes) void router.loadRouteChunk(route);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <Providers nonce={nonce} queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
