// Where one can go from anywhere.

import { IconFolders, IconSearch, IconSettings } from "@tabler/icons-react";
import { NavigationLink } from "../../ui/links.tsx";

const places = [
  { to: "/projects", label: "Projects", Icon: IconFolders },
  { to: "/search", label: "Search", Icon: IconSearch },
  { to: "/settings", label: "Settings", Icon: IconSettings },
] as const;

export function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  return places.map(({ to, label, Icon }) => (
    <NavigationLink
      key={to}
      to={to}
      label={label}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      onClick={onNavigate}
      activeOptions={{ exact: false, includeSearch: false }}
      activeProps={{ active: true }}
    />
  ));
}
