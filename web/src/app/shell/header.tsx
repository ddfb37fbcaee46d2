// The bar at the top: the product's name, what is running, search, the bell, and the user's menu.

import { Burger, Button, Group, Kbd } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { AnchorLink } from "../../ui/links.tsx";
import { Mark } from "../../ui/mark.tsx";
import { Bell } from "./bell.tsx";
import { RunningIndicator } from "./running-indicator.tsx";
import { UserMenu } from "./user-menu.tsx";

type HeaderProps = { readonly menuOpen: boolean; readonly onToggleMenu: () => void };

export function Header({ menuOpen, onToggleMenu }: HeaderProps) {
  return (
    <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
      <Group gap="xs" wrap="nowrap">
        <Burger
          opened={menuOpen}
          onClick={onToggleMenu}
          hiddenFrom="sm"
          size="sm"
          aria-label={menuOpen ? "Close the navigation" : "Open the navigation"}
          aria-expanded={menuOpen}
        />
        <AnchorLink to="/homework" underline="never" c="var(--mantine-color-text)" fw={700} fz="lg">
          <Group component="span" gap={6} wrap="nowrap">
            <Mark />
            <span className="brand-name">Homework</span>
          </Group>
        </AnchorLink>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <RunningIndicator />
        <Button
          variant="default"
          size="sm"
          px="xs"
          leftSection={<IconSearch size={16} aria-hidden />}
          onClick={() => spotlight.open()}
          aria-keyshortcuts="Control+K"
          classNames={{ section: "snug" }}
        >
          <span className="words-when-wide">Search</span>
          <Kbd size="xs" visibleFrom="md" ml="sm" aria-hidden>
            Ctrl K
          </Kbd>
        </Button>
        <Bell />
        <UserMenu />
      </Group>
    </Group>
  );
}
