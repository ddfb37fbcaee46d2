// What an agent may do when it asks, by the setting of its owner; as a question for people; and what their answer means. Pure.

import type { PermissionPolicy } from "../backends/backend.ts";
import { at, listAt, textAt } from "../backends/read-event.ts";
import { quote } from "../layout/ids.ts";

export type PermissionOption = { readonly id: string; readonly name: string; readonly kind: string };

export type PermissionRequest = {
  readonly title: string;
  /** `execute`, `edit`, … */
  readonly kind: string;
  /** Paths that the request names. */
  readonly places: readonly string[];
  /** The tool's arguments, shortened. */
  readonly details: string;
  readonly options: readonly PermissionOption[];
};

/** The id of the option; null: the request is refused without one. */
export type Choice = { readonly optionId: string | null; readonly isAllowed: boolean };

const detailsMax = 2_000;
const titleMax = 500;
const optionsMax = 20;
const placeKeys = ["path", "file_path", "filePath", "filepath", "abs_path", "notebook_path", "cwd", "directory", "dir"];

export function readPermission(params: unknown): PermissionRequest {
  const call = at(params, "toolCall");
  const input = at(call, "rawInput");
  const places = [
    ...listAt(call, "locations").map((each) => textAt(each, "path")),
    ...listAt(call, "content").map((each) => textAt(each, "path")),
    ...placeKeys.map((key) => textAt(input, key)),
  ];
  const kind = textAt(call, "kind") || "other";
  return {
    title: (textAt(call, "title") || textAt(call, "name") || kind).slice(0, titleMax),
    kind,
    places: [...new Set(places.filter((each) => each !== ""))],
    details: input === undefined || input === null ? "" : JSON.stringify(input).slice(0, detailsMax).toWellFormed(),
    options: listAt(params, "options")
      .slice(0, optionsMax)
      .map((each) => ({ id: textAt(each, "optionId"), name: textAt(each, "name"), kind: textAt(each, "kind") }))
      .filter(({ id }) => id !== ""),
  };
}

/** What is allowed may still lie outside of the folders that the agent works in: then a person decides. */
export function judgePermission(
  policy: PermissionPolicy,
  request: PermissionRequest,
  isInside: (place: string) => boolean,
): "allow" | "reject" | "ask" {
  if (policy === "allow" && !request.places.every(isInside)) return "ask";
  return policy;
}

/** Once is enough: what is allowed for ever is not asked for again. */
export const allow = ({ options }: PermissionRequest): Choice => pick(options, ["allow_once", "allow_always"]);
export const reject = ({ options }: PermissionRequest): Choice => pick(options, ["reject_once", "reject_always"]);

function pick(options: readonly PermissionOption[], kinds: readonly string[]): Choice {
  const found = kinds.flatMap((kind) => options.find((option) => option.kind === kind) ?? [])[0];
  return choose(found);
}

const choose = (option: PermissionOption | undefined): Choice => ({
  optionId: option?.id ?? null,
  isAllowed: option?.kind.startsWith("allow") === true,
});

export function describeQuestion({ title, kind, places, details, options }: PermissionRequest): string {
  return [
    `The agent asks for permission: ${title}`,
    ...(kind === "other" ? [] : [`Kind: ${kind}`]),
    ...(places.length === 0 ? [] : [`Places: ${places.slice(0, 10).join(", ")}`]),
    ...(details === "" ? [] : ["", details]),
    "",
    ...options.map(({ name, id }, index) => `${index + 1}. ${name || id}`),
    "Answer with a number, or with yes, always, no or never. Any other answer means no and is passed on to the agent.",
  ]
    .join("\n")
    .toWellFormed();
}

const words: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(?:y|yes|yes,? please|ok|okay|allow|allow it|allow once|approve|approved|once|sure|go ahead)$/,
    ["allow_once", "allow_always"],
  ],
  [/^(?:always|always allow|allow always|yes,? always)$/, ["allow_always", "allow_once"]],
  [/^(?:n|no|reject|deny|denied|refuse|reject once|no,? thanks)$/, ["reject_once", "reject_always"]],
  [/^(?:never|reject always|always reject|no,? never)$/, ["reject_always", "reject_once"]],
];

/** `rest`: what the agent is to be told, where the answer is not one of the known ones. */
export function readAnswer(
  request: PermissionRequest,
  answer: string,
): { readonly choice: Choice; readonly rest: string | null } {
  const said = answer.trim();
  const plain = said.toLowerCase().replace(/[.!]+$/, "");
  const named = request.options.find(
    ({ id, name }, index) => plain === String(index + 1) || said === id || plain === name.toLowerCase(),
  );
  if (named !== undefined) return { choice: choose(named), rest: null };
  const kinds = words.find(([pattern]) => pattern.test(plain))?.[1];
  if (kinds !== undefined) return { choice: pick(request.options, kinds), rest: null };
  return { choice: reject(request), rest: `About ${quote(request.title)}: ${said}` };
}
