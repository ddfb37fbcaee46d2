// The frame of every page for someone signed in: header, navigation, palette, and the page. It follows the user's
// feed, so that lists and the bell are right on every page.

import { AppShell } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet } from "@tanstack/react-router";
import { useFeed } from "../../lib/live/use-feed.ts";
import { usePresence } from "../../lib/use-presence.ts";
import { Header } from "./header.tsx";
import { Navigation } from "./navigation.tsx";
import { Palette } from "./palette.tsx";
import "./shell.css";
import { useRinging } from "./use-ringing.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

export function Shell() {
  const [menuOpen, menu] = useDisclosure(false);
  useFeed();
  useRinging();
  usePresence();
  useShortcuts();
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to the content
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !menuOpen } }}
        padding="md"
      >
        <AppShell.Header>
          <Header menuOpen={menuOpen} onToggleMenu={menu.toggle} />
        </AppShell.Header>
        <AppShell.Navbar p="sm" aria-label="Main" {...(menuOpen ? {} : { className: "closed-when-narrow" })}>
          <Navigation onNavigate={menu.close} />
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          <Outlet />
        </AppShell.Main>
      </AppShell>
      <Palette />
    </>
  );
}
