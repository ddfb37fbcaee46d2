// Where one can go from anywhere, and how much homework needs the user.

import { Badge, VisuallyHidden } from "@mantine/core";
import { IconFolders, IconMessages, IconRobot, IconRocket, IconSearch, IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { agentsInfoQuery } from "../../lib/data/agents.ts";
import { NavigationLink } from "../../ui/links.tsx";
import { useAtWork } from "./at-work.ts";
import { shortCount } from "./counts.ts";

const places = [
  { to: "/homework", label: "Homework", Icon: IconRocket },
  { to: "/chat", label: "Chat", Icon: IconMessages },
  { to: "/projects", label: "Projects", Icon: IconFolders },
  { to: "/agents", label: "Agents", Icon: IconRobot },
  { to: "/search", label: "Search", Icon: IconSearch },
  { to: "/settings", label: "Settings", Icon: IconSettings },
] as const;

export function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const { waiting } = useAtWork();
  const hasAgents = useQuery(agentsInfoQuery).data?.is_available === true;
  const shown = places.filter(({ to }) => to !== "/agents" || hasAgents);
  return shown.map(({ to, label, Icon }) => (
    <NavigationLink
      key={to}
      to={to}
      label={label}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      rightSection={to === "/homework" && waiting > 0 ? <NeedsYou count={waiting} /> : null}
      onClick={onNavigate}
      activeOptions={{ exact: false, includeSearch: false }}
      activeProps={{ active: true }}
    />
  ));
}

function NeedsYou({ count }: { readonly count: number }) {
  return (
    <Badge color="orange" variant="filled" tt="none" title={`${count} ${count === 1 ? "needs" : "need"} you`}>
      {shortCount(count)}
      <VisuallyHidden> {count === 1 ? "needs" : "need"} you</VisuallyHidden>
    </Badge>
  );
}
