// Where one can go from anywhere, and how much of one's homework and outcomes needs the user.

import { Badge, VisuallyHidden } from "@mantine/core";
import {
  IconFolders,
  IconMessages,
  IconRobot,
  IconRocket,
  IconSearch,
  IconSettings,
  IconTargetArrow,
} from "@tabler/icons-react";
import { useLocation } from "@tanstack/react-router";
import { tone } from "../../lib/tones.ts";
import { NavigationLink } from "../../ui/links.tsx";
import { useAtWork } from "./at-work.ts";
import { shortCount } from "./counts.ts";

const places = [
  { to: "/homework", label: "Homework", Icon: IconRocket },
  { to: "/outcomes", label: "Outcomes", Icon: IconTargetArrow },
  { to: "/chat", label: "Chat", Icon: IconMessages },
  { to: "/projects", label: "Projects", Icon: IconFolders },
  { to: "/agents", label: "Agents", Icon: IconRobot },
  { to: "/search", label: "Search", Icon: IconSearch },
  { to: "/settings", label: "Settings", Icon: IconSettings },
] as const;

export function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const { waiting, questions, agents, hasAgents } = useAtWork();
  const needs: Readonly<Record<string, number>> = { "/homework": waiting, "/outcomes": questions, "/agents": agents };
  // What was learned in outcomes is one of their pages, with an address of its own.
  const isMemories = useLocation({ select: ({ pathname }) => pathname.startsWith("/memories") });
  const shown = places.filter(({ to }) => to !== "/agents" || hasAgents);
  return shown.map(({ to, label, Icon }) => (
    <NavigationLink
      key={to}
      to={to}
      label={label}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      rightSection={(needs[to] ?? 0) > 0 ? <NeedsYou count={needs[to] ?? 0} /> : null}
      onClick={onNavigate}
      activeOptions={{ exact: false, includeSearch: false }}
      activeProps={{ active: true }}
      {...(to === "/outcomes" && isMemories ? { active: true } : {})}
    />
  ));
}

function NeedsYou({ count }: { readonly count: number }) {
  return (
    <Badge color={tone.needsYou} variant="filled" tt="none" title={`${count} ${count === 1 ? "needs" : "need"} you`}>
      {shortCount(count)}
      <VisuallyHidden> {count === 1 ? "needs" : "need"} you</VisuallyHidden>
    </Badge>
  );
}
