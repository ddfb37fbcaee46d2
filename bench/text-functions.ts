// Every exported function of the sources that takes text, found in the sources themselves: a new one is measured by `npm run bench -- hostile`
// without being listed anywhere. A function can be called here if its module, with all that it imports, does nothing but compute.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Node, parseSync } from "oxc-parser";

/** What stands for a parameter: hostile text, a list with it, or a value of that kind. */
export type Parameter = "text" | "texts" | "number" | "flag" | "left_out" | "other";
export type TextFunction = { readonly file: string; readonly name: string; readonly parameters: readonly Parameter[] };

const home = fileURLToPath(new URL("..", import.meta.url));
const rooms = ["src", "web/src"];
/** Modules of Node that only compute. */
const pureModules = new Set([
  "node:buffer",
  "node:crypto",
  "node:path",
  "node:url",
  "node:util",
  "node:module",
  "node:assert",
]);
/** Packages that only compute. */
const purePackages = new Set(["zod", "ipaddr.js", "linkedom", "commander", "marked"]);

type Parsed = { readonly imports: readonly string[]; readonly functions: readonly TextFunction[] };

/** Modules by their path; tests, declarations and components of pages are none of them. */
function readModules(): ReadonlyMap<string, Parsed> {
  const files = rooms.flatMap((room) =>
    readdirSync(path.join(home, room), { recursive: true, encoding: "utf8" }).map((name) =>
      path.posix.join(room, name),
    ),
  );
  const modules = files.filter((file) => /\.ts$/.test(file) && !/(?:\.test|\.d)\.ts$/.test(file));
  return new Map(modules.sort().map((file) => [file, parseModule(file)]));
}

function parseModule(file: string): Parsed {
  const { program, module } = parseSync(file, readFileSync(path.join(home, file), "utf8"));
  const imports = [...module.staticImports, ...module.staticExports].flatMap((each) => {
    const isTypes = each.entries.length > 0 && each.entries.every((entry) => entry.isType);
    const from = "moduleRequest" in each ? each.moduleRequest : each.entries[0]?.moduleRequest;
    return isTypes || !from ? [] : [from.value];
  });
  return { imports, functions: program.body.flatMap((each) => functionsIn(file, each)) };
}

type Callable = { readonly name: string; readonly params: readonly Node[]; readonly isAsync: boolean };

function functionsIn(file: string, statement: Node): readonly TextFunction[] {
  if (statement.type !== "ExportNamedDeclaration" || statement.declaration === null) return [];
  return callablesIn(statement.declaration)
    .filter(({ isAsync }) => !isAsync)
    .map(({ name, params }) => ({ file, name, parameters: params.map(kindOf) }))
    .filter(({ parameters }) => parameters.some((each) => each === "text" || each === "texts"));
}

function callablesIn(declaration: Node): readonly Callable[] {
  if (declaration.type === "FunctionDeclaration")
    return [
      {
        name: declaration.id?.name ?? "",
        params: declaration.params,
        isAsync: declaration.async || declaration.generator,
      },
    ];
  if (declaration.type !== "VariableDeclaration") return [];
  return declaration.declarations.flatMap(({ id, init }) =>
    id.type === "Identifier" && init?.type === "ArrowFunctionExpression"
      ? [{ name: id.name, params: init.params, isAsync: init.async }]
      : [],
  );
}

function kindOf(parameter: Node): Parameter {
  if (parameter.type === "AssignmentPattern") return "left_out";
  if (parameter.type !== "Identifier" || !parameter.typeAnnotation) return "other";
  const kind = kindOfType(parameter.typeAnnotation.typeAnnotation);
  return parameter.optional && kind === "other" ? "left_out" : kind;
}

function kindOfType(type: Node): Parameter {
  if (type.type === "TSStringKeyword" || type.type === "TSUnknownKeyword") return "text";
  if (type.type === "TSNumberKeyword") return "number";
  if (type.type === "TSBooleanKeyword") return "flag";
  if (type.type === "TSTypeOperator") return kindOfType(type.typeAnnotation);
  if (type.type === "TSArrayType") return kindOfType(type.elementType) === "text" ? "texts" : "other";
  if (type.type === "TSUnionType") return type.types.map(kindOfType).find((each) => each !== "other") ?? "other";
  return "other";
}

/** Modules that reach no further than the processor, nor does any that they import. */
function findPure(modules: ReadonlyMap<string, Parsed>): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  const pending: string[] = [];
  for (const [file, { imports }] of modules)
    for (const name of imports) {
      const target = path.posix.join(path.posix.dirname(file), name);
      if (name.startsWith(".")) importers.set(target, [...(importers.get(target) ?? []), file]);
      else if (!pureModules.has(name) && !purePackages.has(name)) pending.push(file);
    }
  const pure = new Set(modules.keys());
  for (let file = pending.pop(); file !== undefined; file = pending.pop())
    if (pure.delete(file)) pending.push(...(importers.get(file) ?? []));
  return pure;
}

export type Found = {
  /** Called with hostile text. */
  readonly called: readonly TextFunction[];
  /** They take something besides text, for which nothing stands in here. */
  readonly needMore: readonly TextFunction[];
};

export function findTextFunctions(): Found {
  const modules = readModules();
  const pure = findPure(modules);
  const all = [...modules].flatMap(([file, { functions }]) => (pure.has(file) ? functions : []));
  const isComplete = ({ parameters }: TextFunction) => !parameters.includes("other");
  return { called: all.filter(isComplete), needMore: all.filter((each) => !isComplete(each)) };
}
