// The frame of the settings: their list above the chosen one. People are managed by admins of installations with accounts.

import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { instanceQuery, meQuery } from "../../lib/data/me.ts";
import { TabLinks } from "../../ui/tab-links.tsx";

const own = [
  { to: "/settings/profile", label: "Profile" },
  { to: "/settings/sessions", label: "Sessions" },
  { to: "/settings/keys", label: "API keys" },
  { to: "/settings/notifications", label: "Notifications" },
  { to: "/settings/channels", label: "Channels" },
  { to: "/settings/models", label: "Models" },
] as const;

const ofAccounts = [
  { to: "/settings/people", label: "People" },
  { to: "/settings/all-runs", label: "All runs" },
] as const;

const forAdmins = [
  { to: "/settings/quotas", label: "Quotas" },
  { to: "/settings/audit", label: "Audit" },
] as const;

export function SettingsFrame() {
  const me = useQuery(meQuery).data;
  const mode = useQuery(instanceQuery).data?.mode;
  const isAdmin = me?.user.role === "admin";
  const places = [...own, ...(isAdmin && mode === "accounts" ? ofAccounts : []), ...(isAdmin ? forAdmins : [])];
  return (
    <>
      <TabLinks label="Settings">
        {places.map(({ to, label }) => (
          <Link key={to} to={to} className="tab-link">
            {label}
          </Link>
        ))}
      </TabLinks>
      <Outlet />
    </>
  );
}
