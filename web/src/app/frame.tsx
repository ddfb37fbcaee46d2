// Around every page, signed in or not: the page itself, the notice when the server is away, and the page's name
// for screen readers.

import { Outlet } from "@tanstack/react-router";
import { PageAnnouncer } from "./page-announcer.tsx";
import { ServerBanner } from "./server-banner.tsx";

export function Frame() {
  return (
    <>
      <Outlet />
      <ServerBanner />
      <PageAnnouncer />
    </>
  );
}
