// What the palette offers besides search results. Inside a project it can also make things in it.

import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import {
  IconBell,
  IconFolders,
  IconKey,
  IconMessages,
  IconMoon,
  IconPlus,
  IconRocket,
  IconSearch,
  IconSettings,
  IconTargetArrow,
} from "@tabler/icons-react";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { entityKinds, kindSpecs } from "../../../../src/protocol/kinds.ts";

export type PaletteAction = {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly run: () => void;
};

const icon = { size: 18, stroke: 1.6, "aria-hidden": true } as const;

export function usePaletteActions(): readonly PaletteAction[] {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const inProject = entityKinds.map((kind) => ({
    id: `new-${kind}`,
    label: `New ${kind}`,
    icon: <IconPlus {...icon} />,
    run: () => {
      if (!projectId) return;
      const { plural } = kindSpecs[kind];
      void navigate({ to: "/projects/$projectId/$plural", params: { projectId, plural }, search: { new: true } });
    },
  }));
  return [
    ...(projectId ? inProject : []),
    ...useHomeworkActions(),
    {
      id: "new-project",
      label: "New project",
      icon: <IconPlus {...icon} />,
      run: () => void navigate({ to: "/projects", search: { new: true } }),
    },
    {
      id: "projects",
      label: "Projects",
      icon: <IconFolders {...icon} />,
      run: () => void navigate({ to: "/projects" }),
    },
    { id: "search", label: "Search", icon: <IconSearch {...icon} />, run: () => void navigate({ to: "/search" }) },
    {
      id: "settings",
      label: "Settings",
      icon: <IconSettings {...icon} />,
      run: () => void navigate({ to: "/settings/profile" }),
    },
    { id: "keys", label: "API keys", icon: <IconKey {...icon} />, run: () => void navigate({ to: "/settings/keys" }) },
    {
      id: "scheme",
      label: "Toggle dark mode",
      icon: <IconMoon {...icon} />,
      run: () => setColorScheme(scheme === "dark" ? "light" : "dark"),
    },
  ];
}

function useHomeworkActions(): readonly PaletteAction[] {
  const navigate = useNavigate();
  return [
    {
      id: "new-homework",
      label: "New homework",
      icon: <IconPlus {...icon} />,
      run: () => void navigate({ to: "/homework", hash: "new" }),
    },
    {
      id: "homework",
      label: "Homework",
      icon: <IconRocket {...icon} />,
      run: () => void navigate({ to: "/homework" }),
    },
    {
      id: "new-outcome",
      label: "New outcome",
      icon: <IconPlus {...icon} />,
      run: () => void navigate({ to: "/outcomes/new" }),
    },
    {
      id: "outcomes",
      label: "Outcomes",
      icon: <IconTargetArrow {...icon} />,
      run: () => void navigate({ to: "/outcomes" }),
    },
    { id: "chat", label: "Chat", icon: <IconMessages {...icon} />, run: () => void navigate({ to: "/chat" }) },
    {
      id: "notifications",
      label: "Notifications",
      icon: <IconBell {...icon} />,
      run: () => void navigate({ to: "/notifications" }),
    },
  ];
}
