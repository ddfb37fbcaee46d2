// What the palette offers besides search results: make something, go somewhere, and on a run's page what can be done to the run.

import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import {
  IconBell,
  IconFolders,
  IconKeyboard,
  IconMessages,
  IconMoon,
  IconPlus,
  IconRobot,
  IconRocket,
  IconSearch,
  IconSettings,
  IconTargetArrow,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { entityKinds, kindSpecs } from "../../../../src/protocol/kinds.ts";
import { agentsInfoQuery } from "../../lib/data/agents.ts";
import { actionIcon, type PaletteAction } from "./palette-action.ts";
import { useRunActions } from "./run-actions.tsx";
import { openShortcuts } from "./shortcuts-dialog.tsx";

const places = [
  { to: "/homework", label: "Go to home", Icon: IconRocket },
  { to: "/outcomes", label: "Go to outcomes", Icon: IconTargetArrow },
  { to: "/chat", label: "Go to chat", Icon: IconMessages },
  { to: "/projects", label: "Go to projects", Icon: IconFolders },
  { to: "/agents", label: "Go to agents", Icon: IconRobot },
  { to: "/search", label: "Go to search", Icon: IconSearch },
  { to: "/notifications", label: "Go to notifications", Icon: IconBell },
  { to: "/settings/profile", label: "Settings: profile", Icon: IconSettings },
  { to: "/settings/notifications", label: "Settings: notifications", Icon: IconSettings },
  { to: "/settings/channels", label: "Settings: channels", Icon: IconSettings },
  { to: "/settings/keys", label: "Settings: API keys", Icon: IconSettings },
] as const;

export function usePaletteActions(): readonly PaletteAction[] {
  return [...useRunActions(), ...useNewActions(), ...usePlaces(), ...useViewActions()];
}

/** In a project also the things in it. */
function useNewActions(): readonly PaletteAction[] {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const inProject = entityKinds.map((kind) => ({
    id: `new-${kind}`,
    label: `New ${kind}`,
    icon: <IconPlus {...actionIcon} />,
    run: () => {
      if (!projectId) return;
      const { plural } = kindSpecs[kind];
      void navigate({ to: "/projects/$projectId/$plural", params: { projectId, plural }, search: { new: true } });
    },
  }));
  const makes = [
    ["New run", () => navigate({ to: "/homework", hash: "new" })],
    ["New outcome", () => navigate({ to: "/outcomes/new" })],
    ["New project", () => navigate({ to: "/projects", search: { new: true } })],
  ] as const;
  return [
    ...(projectId ? inProject : []),
    ...makes.map(([label, make]) => ({ id: label, label, icon: <IconPlus {...actionIcon} />, run: () => void make() })),
  ];
}

function usePlaces(): readonly PaletteAction[] {
  const navigate = useNavigate();
  const hasAgents = useQuery(agentsInfoQuery).data?.is_available === true;
  return places
    .filter(({ to }) => to !== "/agents" || hasAgents)
    .map(({ to, label, Icon }) => ({
      id: to,
      label,
      icon: <Icon {...actionIcon} />,
      run: () => void navigate({ to }),
    }));
}

function useViewActions(): readonly PaletteAction[] {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  return [
    {
      id: "scheme",
      label: "Toggle dark mode",
      icon: <IconMoon {...actionIcon} />,
      run: () => setColorScheme(scheme === "dark" ? "light" : "dark"),
    },
    { id: "shortcuts", label: "Keyboard shortcuts", icon: <IconKeyboard {...actionIcon} />, run: openShortcuts },
  ];
}
