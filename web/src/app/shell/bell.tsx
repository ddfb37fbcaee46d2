// The bell: how many notifications are unread. What it opens, and the pictures in it, are fetched when it is first opened.

import { ActionIcon, Indicator, Menu } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useLocation } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useVisits } from "../../lib/use-notifications.ts";
import { useAtWork } from "./at-work.ts";
import { bellLabel, shortCount } from "./counts.ts";
import { UnreadInTitle } from "./unread-in-title.tsx";

// Outside of every page: a part that cannot be fetched must not break the page.
const BellPanel = lazy(() =>
  import("./bell-panel.tsx").then(
    (panel) => ({ default: panel.BellPanel }),
    () => ({ default: () => <Menu.Label>Reload the page to see your notifications.</Menu.Label> }),
  ),
);

/** On a phone, the same to both sides. */
const sides = { shift: { padding: 12 } } as const;

export function Bell() {
  const { unread, agents, asked } = useAtWork();
  useVisits(useLocation({ select: ({ pathname }) => pathname }), unread);
  const label = bellLabel(unread, agents);
  return (
    <>
      <UnreadInTitle unread={unread + agents} />
      <Menu
        position="bottom-end"
        width="min(400px, calc(100vw - 24px))"
        offset={14}
        shadow="lg"
        middlewares={sides}
        withinPortal
      >
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} c="var(--mantine-color-text)">
            <Indicator
              label={shortCount(unread + agents)}
              size={18}
              color="blue.9"
              disabled={unread + agents === 0}
              offset={3}
              aria-hidden
              data-testid="unread-count"
            >
              <IconBell size={22} stroke={1.6} aria-hidden />
            </Indicator>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown className="bell-panel">
          <Menu.Label>{label}</Menu.Label>
          <Suspense fallback={<Menu.Label>Loading</Menu.Label>}>
            <BellPanel unread={unread} asked={asked} />
          </Suspense>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
