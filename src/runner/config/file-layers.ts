// Settings from files: config.hcl of the owner, and the YAML files of a project or a task.

import path from "node:path";
import type { Layer, Tree, TreeEntry, TreeOptions } from "./layer.ts";
import { readTree } from "./layer.ts";
import { type HclBlock, type HclBody, type HclValue, makePlaces, parseHcl } from "./parse-hcl.ts";

/** How a family is written in HCL: one block per member, named in the singular. */
const blockFamilies: Readonly<Record<string, string>> = { agent: "agents" };

export function readHclLayer(file: string, text: string, homeFolder: string): Layer {
  const read = parseHcl(text);
  if (read.kind === "fault")
    return { given: [], problems: [`${file}:${read.place.line}:${read.place.column}: ${read.why}`] };
  const problems: string[] = [];
  const places = makePlaces(text);
  const from = (at: number): string => {
    const { line, column } = places(at);
    return `${file}:${line}:${column}`;
  };
  const tree = { kind: "branch", entries: bodyEntries(read.body, from, problems), from: file } as const;
  const layer = readTree(tree, { source: "global", base: path.dirname(file), homeFolder });
  return { given: layer.given, problems: [...problems, ...layer.problems] };
}

type Place = (at: number) => string;

function bodyEntries(body: HclBody, from: Place, problems: string[]): readonly TreeEntry[] {
  const seen = new Set(body.attributes.map(({ name }) => name));
  const entries = body.attributes.map(({ at, name, value }) => ({
    name,
    from: from(at),
    tree: toTree(value, at, from),
  }));
  const blocks = body.blocks.flatMap((block) => {
    const key = [block.name, ...block.labels].join(" ");
    const problem = seen.has(key) ? "is there twice" : labelProblem(block);
    seen.add(key);
    if (problem === null) return [blockEntry(block, from, problems)];
    problems.push(`${from(block.at)}: The block ${block.name} ${problem}.`);
    return [];
  });
  return [...entries, ...blocks];
}

function labelProblem({ name, labels }: HclBlock): string | null {
  if (Object.hasOwn(blockFamilies, name)) return labels.length === 1 ? null : `needs one name: ${name} "claude" { … }`;
  return labels.length === 0 ? null : "takes no name";
}

function blockEntry({ at, name, labels, body }: HclBlock, from: Place, problems: string[]): TreeEntry {
  const place = from(at);
  const tree: Tree = { kind: "branch", entries: bodyEntries(body, from, problems), from: place };
  const [label] = labels;
  if (label === undefined) return { name, from: place, tree };
  const member = { name: label, from: place, tree };
  return { name: blockFamilies[name] ?? name, from: place, tree: { kind: "branch", entries: [member], from: place } };
}

/** A value is reported at its name, where people look for it. */
function toTree(value: HclValue, at: number, from: Place): Tree {
  if (value.kind === "map") {
    const entries = value.entries.map((entry) => ({
      name: entry.name,
      from: from(entry.at),
      tree: toTree(entry.value, entry.at, from),
    }));
    return { kind: "branch", entries, from: from(at) };
  }
  return { kind: "value", value: toPlain(value), from: from(at) };
}

function toPlain(value: HclValue): unknown {
  if (value.kind === "scalar") return value.value;
  if (value.kind === "list") return value.items.map(toPlain);
  return {};
}

/** Keys that these files hold for other purposes. */
const otherKeys = new Set(["depends_on"]);

export function readYamlLayer(
  file: string,
  content: Readonly<Record<string, unknown>>,
  source: "task" | "project",
  homeFolder: string,
): Layer {
  const options: TreeOptions = { source, base: path.dirname(file), homeFolder };
  const entries = plainEntries(content, file).filter(({ name }) => !otherKeys.has(name));
  return readTree({ kind: "branch", entries, from: file }, options);
}

function plainEntries(content: object, from: string): readonly TreeEntry[] {
  return Object.entries(content).map(([name, value]: [string, unknown]) => ({
    name,
    from,
    tree: plainTree(value, from),
  }));
}

const plainTree = (value: unknown, from: string): Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? { kind: "branch", entries: plainEntries(value, from), from }
    : { kind: "value", value, from };
