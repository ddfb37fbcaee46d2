// The frame of the settings: their list above the chosen one. Managing people is for admins of installations with accounts.

import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { instanceQuery, meQuery } from "../../lib/data/me.ts";

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
    <>
      <nav aria-label="Settings" className="tab-links">
        {places.map(({ to, label }) => (
          <Link key={to} to={to} className="tab-link">
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
