// The frame of the pages of `run-agent serve`: a header, and the page. There is no one to sign in and nothing else to go to.

import { ActionIcon, AppShell, Group, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { Outlet } from "@tanstack/react-router";
import { AnchorLink } from "../../ui/links.tsx";
import "./shell.css";

export function AgentsShell() {
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to the content
      </a>
      <AppShell header={{ height: 56 }} padding="md">
        <AppShell.Header>
          <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
            <AnchorLink to="/agents" underline="never" c="var(--mantine-color-text)" fw={700} fz="lg">
              run-agent
            </AnchorLink>
            <SchemeButton />
          </Group>
        </AppShell.Header>
        <AppShell.Main id="main" tabIndex={-1}>
          <Outlet />
        </AppShell.Main>
      </AppShell>
    </>
  );
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const next = scheme === "dark" ? "light" : "dark";
  return (
    <ActionIcon variant="default" size={36} aria-label={`Use the ${next} theme`} onClick={() => setColorScheme(next)}>
      {next === "dark" ? <IconMoon size={18} aria-hidden /> : <IconSun size={18} aria-hidden />}
    </ActionIcon>
  );
}
