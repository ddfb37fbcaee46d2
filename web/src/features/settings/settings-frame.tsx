// The frame of the settings: their list beside the chosen one. Managing people is for admins of installations with accounts.

import { Box, Grid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { instanceQuery, meQuery } from "../../lib/data/me.ts";
import { NavigationLink } from "../../ui/links.tsx";

const own = [
  { to: "/settings/profile", label: "Profile" },
  { to: "/settings/sessions", label: "Sessions" },
  { to: "/settings/keys", label: "API keys" },
] as const;

const forAdmins = [
  { to: "/settings/people", label: "People" },
  { to: "/settings/audit", label: "Audit" },
] as const;

export function SettingsFrame() {
  const me = useQuery(meQuery).data;
  const mode = useQuery(instanceQuery).data?.mode;
  const places = me?.user.role === "admin" && mode === "accounts" ? [...own, ...forAdmins] : own;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, sm: 3 }}>
        <Box component="nav" aria-label="Settings">
          {places.map(({ to, label }) => (
            <NavigationLink key={to} to={to} label={label} activeProps={{ active: true }} />
          ))}
        </Box>
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 9 }}>
        <Outlet />
      </Grid.Col>
    </Grid>
  );
}
