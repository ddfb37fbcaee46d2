// Which modules go into which file: few files for the first page, and one for each area that is opened later.
// A group takes modules, and what they import, unless a group of a higher priority has taken them.

type Group = {
  readonly name: string | ((id: string) => string | null);
  readonly debugName?: string;
  readonly test?: RegExp | ((id: string) => boolean);
  readonly tags?: "$initial"[];
  readonly priority: number;
};

const packages = /[\\/]node_modules[\\/]/;
const framework = /[\\/]node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/;
const markdownPackages =
  /[\\/]node_modules[\\/](react-markdown|remark-[\w-]+|rehype-[\w-]+|micromark[\w-]*|mdast-[\w-]+|hast-[\w-]+|unist-[\w-]+|vfile[\w-]*|unified|property-information)[\\/]/;
const chartPackages =
  /[\\/]node_modules[\\/](recharts|@mantine[\\/]charts|victory-vendor|d3-[\w-]+|@reduxjs|react-redux|redux|immer|reselect|decimal\.js-light|es-toolkit|eventemitter3)[\\/]/;
const editorPackages = /[\\/]node_modules[\\/](@codemirror|@lezer|@marijn|style-mod|crelt|w3c-keyname)[\\/]/;
const archivePackages = /[\\/]node_modules[\\/]fflate[\\/]/;
const graphPackages = /[\\/]node_modules[\\/]@dagrejs[\\/]/;
/** Packages that have a file of their own. */
const apart = [markdownPackages, chartPackages, editorPackages, archivePackages, graphPackages];
/** Modules of ours that are fetched together with their packages. */
const editorModules = /[\\/]ui[\\/]markdown-field[\\/]/;
const markdownModule = /[\\/]ui[\\/]markdown\.tsx/;
const chartModules = /[\\/]runs[\\/]pictures[\\/]/;
const graphModules = /[\\/]outcomes[\\/]graph[\\/]/;
const contract = /[\\/]node_modules[\\/]zod[\\/]|[\\/]src[\\/](protocol|domain)[\\/]/;
/** What the header opens. */
const shell = /[\\/]app[\\/]shell[\\/]/;
const shared = /[\\/]web[\\/]src[\\/](ui|lib)[\\/]/;

/** Modules that the entry imports, directly or not. */
const initial: "$initial"[] = ["$initial"];

export const chunkGroups: Group[] = [
  { name: "framework", test: framework, tags: initial, priority: 90 },
  { name: "vendor", test: packages, tags: initial, priority: 80 },
  { name: "app", tags: initial, priority: 70 },
  { name: "contract", test: contract, priority: 60 },
  { name: "widgets", test: isWidget, priority: 50 },
  { name: "shared", test: isShared, priority: 40 },
  { name: "markdown-field", test: (id) => editorPackages.test(id) || isEditorModule(id), priority: 36 },
  { name: "archive", test: archivePackages, priority: 34 },
  { name: "markdown", test: (id) => markdownPackages.test(id) || markdownModule.test(id), priority: 30 },
  { name: nameArea, debugName: "areas", priority: 20 },
  { name: "shell", test: shell, priority: 15 },
  { name: "graph", test: (id) => graphPackages.test(id) || graphModules.test(id), priority: 12 },
  { name: "charts", priority: 10 },
];

/** The plain field is shown where the editor cannot be fetched, so it comes with the page. */
function isEditorModule(id: string): boolean {
  return editorModules.test(id) && !id.includes("plain-field");
}

function isWidget(id: string): boolean {
  return packages.test(id) && !apart.some((one) => one.test(id));
}

function isShared(id: string): boolean {
  return shared.test(id) && !markdownModule.test(id) && !isEditorModule(id);
}

/** Every feature is an area. */
function nameArea(id: string): string | null {
  if (chartModules.test(id) || graphModules.test(id)) return null;
  return /[\\/]features[\\/]([\w-]+)[\\/]/.exec(id)?.[1] ?? null;
}
