// Around every page, signed in or not: the page itself, the notice when the server is away, the page's name for screen
// readers, and a place for the focus when what had it goes away.

import { Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { keepFocus } from "../lib/keep-focus.ts";
import { PageAnnouncer } from "./page-announcer.tsx";
import { ServerBanner } from "./server-banner.tsx";

export function Frame() {
  useEffect(keepFocus, []);
  return (
    <>
      <Outlet />
      <ServerBanner />
      <PageAnnouncer />
    </>
  );
}
