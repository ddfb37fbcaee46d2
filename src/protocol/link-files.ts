// Links between the files of an export: what leads to the page of a thing that is among them leads to its file. Pure. What is
// not among them leads to the page, or, where no server is known, is no link.

import type { RunFile } from "./run-files.ts";

/** A link of Markdown to a page of ours: its words, its address, the id of the thing. Both parts stop at brackets, so it is linear. */
const pageLink = /\[((?:\\.|[^[\]\\])*)\]\(([^()\s<>]*)\)/g;
const page = /^\/projects\/[\w-]+(?:\/[a-z]+\/([\w-]+))?(?:[?#].*)?$/;

/** `files` have their final names, with `/` between folders; `origin` is empty where no server is known. */
export function linkFiles(files: readonly RunFile[], origin: string): readonly RunFile[] {
  const names = new Map(files.flatMap(({ ids, name }) => ids.map((id) => [id, name] as const)));
  return files.map((file) => ({ ...file, text: linkText(file, names, origin) }));
}

function linkText({ name, text }: RunFile, names: ReadonlyMap<string, string>, origin: string): string {
  const up = name.includes("/") ? "../" : "";
  return text.replaceAll(pageLink, (whole, words: string, address: string) => {
    const path = origin !== "" && address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
    const found = page.exec(path);
    if (found === null) return whole;
    const target = names.get(found[1] ?? "");
    if (target !== undefined) return `[${words}](${up}${target.split("/").map(encode).join("/")})`;
    return origin === "" ? words : `[${words}](${origin}${path})`;
  });
}

/** Brackets end a link. */
const encode = (part: string): string => encodeURIComponent(part).replaceAll("(", "%28").replaceAll(")", "%29");
