// Who is signed in, the colour scheme, the keyboard shortcuts, and the way out.

import {
  Avatar,
  Kbd,
  type MantineColorScheme,
  Menu,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from "@mantine/core";
import { IconDeviceDesktop, IconKeyboard, IconLogout, IconMoon, IconSettings, IconSun } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { meQuery } from "../../lib/data/me.ts";
import { openShortcuts } from "./shortcuts-dialog.tsx";

const schemes = [
  { value: "auto", label: "System", Icon: IconDeviceDesktop },
  { value: "light", label: "Light", Icon: IconSun },
  { value: "dark", label: "Dark", Icon: IconMoon },
] as const;

export function UserMenu() {
  const me = useQuery(meQuery).data;
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton>
          <VisuallyHidden>Your menu{me ? `, ${me.user.name}` : ""}</VisuallyHidden>
          <Avatar name={me?.user.name ?? ""} color="blue" radius="xl" size={34} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="breakable">{me?.user.email ?? ""}</Menu.Label>
        <Menu.Item
          leftSection={<IconSettings size={16} aria-hidden />}
          onClick={() => void navigate({ to: "/settings/profile" })}
        >
          Settings
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={16} aria-hidden />}
          rightSection={
            <Kbd size="xs" aria-hidden>
              ?
            </Kbd>
          }
          onClick={openShortcuts}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <SchemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function SchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
      <Menu.Label>Theme</Menu.Label>
      {schemes.map(({ value, label, Icon }) => (
        <Menu.RadioItem key={value} value={value} rightSection={<Icon size={16} aria-hidden />}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

function useSignOut() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api(routes.identity.signOut, {}),
    onSuccess: async () => {
      queryClient.clear();
      await navigate({ to: "/sign-in" });
      queryClient.clear();
    },
  });
}
