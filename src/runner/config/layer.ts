// One source of settings as a flat list of values, each with the place it came from. Names that are not settings become problems; whether
// a value is good is judged later, once for all sources.

import path from "node:path";
import { didYouMean } from "../../lib/nearest.ts";
import { quote } from "../layout/ids.ts";
import type { Leaf, Setting } from "./setting.ts";
import { droppedSettings, settings } from "./settings.ts";

/** Strongest first. */
const sources = ["command line", "environment", "task", "project", "global", "default"] as const;
export type Source = (typeof sources)[number];

/** `from`: the option, the variable, or file and place. */
export type Origin = { readonly source: Source; readonly from: string };
export type Given = { readonly path: string; readonly leaf: Leaf; readonly value: unknown; readonly origin: Origin };
export type Layer = { readonly given: readonly Given[]; readonly problems: readonly string[] };

/** What a file says, whichever format it has. A list is a value. */
export type Tree =
  | { readonly kind: "value"; readonly value: unknown; readonly from: string }
  | { readonly kind: "branch"; readonly entries: readonly TreeEntry[]; readonly from: string };
export type TreeEntry = { readonly name: string; readonly from: string; readonly tree: Tree };

export type TreeOptions = {
  readonly source: Source;
  /** Where relative paths begin. */
  readonly base: string;
  readonly homeFolder: string;
};

const memberName = /^[A-Za-z][A-Za-z0-9_-]{0,47}$/;

export function readTree(tree: Tree, options: TreeOptions): Layer {
  const given: Given[] = [];
  const problems: string[] = [];
  const walk = (setting: Setting, found: Tree, names: readonly string[]): void => {
    if (setting.kind === "leaf") {
      const origin = { source: options.source, from: found.from };
      // A block where a value is wanted is told by the value's own rule.
      const value = found.kind === "value" ? toPlace(setting, found.value, options) : {};
      if (setting.isOwners && isAgents(options.source))
        problems.push(`${found.from}: ${names.join(".")} cannot be set here. Set it in config.hcl.`);
      else given.push({ path: names.join("."), leaf: setting, value, origin });
      return;
    }
    if (found.kind === "value") {
      problems.push(`${found.from}: ${names.join(".")} must be a block.`);
      return;
    }
    for (const entry of found.entries) {
      const member = memberOf(setting, entry.name);
      if (member !== null) walk(member, entry.tree, [...names, entry.name]);
      else problems.push(...unknownName(setting, entry, names, options.source));
    }
  };
  walk(settings, tree, []);
  return { given, problems };
}

/** Agents can write the files of their task and of their project. */
const isAgents = (source: Source): boolean => source === "task" || source === "project";

export function memberOf(setting: Setting, name: string): Setting | null {
  if (setting.kind === "group") return Object.hasOwn(setting.members, name) ? (setting.members[name] ?? null) : null;
  return setting.kind === "family" && memberName.test(name) ? setting.member : null;
}

/** Files of a task or project may hold keys of other programs: there only a slip of the pen is a problem. */
function unknownName(setting: Setting, entry: TreeEntry, names: readonly string[], source: Source): readonly string[] {
  const shown = quote([...names, entry.name].join("."));
  if (setting.kind === "family")
    return [`${entry.from}: ${shown} is not a usable name. Use letters, digits, hyphens and underscores.`];
  const known = setting.kind === "group" ? Object.keys(setting.members) : [];
  const dropped = names.length === 0 ? droppedSettings[entry.name] : undefined;
  const advice = dropped ?? didYouMean(entry.name, names.length === 0 ? [...known, "agent"] : known);
  return isAgents(source) && advice === "" ? [] : [`${entry.from}: ${shown} is not a setting.${advice}`];
}

export function toPlace({ form }: Leaf, value: unknown, { base, homeFolder }: Omit<TreeOptions, "source">): unknown {
  return form === "path" && typeof value === "string" && value !== "" ? absolute(value, base, homeFolder) : value;
}

/** `~/x` is in the home folder; other relative paths begin at `base`. */
export function absolute(file: string, base: string, homeFolder: string): string {
  if (file === "~" || file.startsWith("~/")) return path.join(homeFolder, file.slice(1));
  return path.resolve(base, file);
}
