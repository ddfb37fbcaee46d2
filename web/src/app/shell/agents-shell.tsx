// The frame of the pages of `run-agent serve`: a header, and the page. There is no one to sign in and nothing else to go to.

import { ActionIcon, AppShell, Group, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconPlus, IconSun } from "@tabler/icons-react";
import { Outlet } from "@tanstack/react-router";
import { AnchorLink, ButtonLink } from "../../ui/links.tsx";
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
            <Group gap="xs" wrap="nowrap">
              <ButtonLink
                to="/agents/start"
                size="sm"
                variant="default"
                leftSection={<IconPlus size={16} aria-hidden />}
                activeOptions={{ exact: true, includeSearch: false }}
              >
                New task
              </ButtonLink>
              <SchemeButton />
            </Group>
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
