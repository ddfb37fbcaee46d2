// Words between tags: the children of an element as sentences. What stands in the middle of one, a value or a link, belongs to it;
// what stands at its edge, an icon or a form, does not.

import type { Slot } from "./message.ts";
import { isInlineElement } from "./places.ts";
import { fillSlot, nodeIn, nodesIn, rangeOf, type Syntax, visitValue, type Walk } from "./syntax.ts";

export function childrenMessages(children: readonly Syntax[], walk: Walk): void {
  for (const sentence of sentencesOf(children)) {
    const slots: Slot[] = [];
    const text = sentence.map((child) => writeChild(child, slots)).join("");
    const first = sentence[0];
    const last = sentence.at(-1);
    const isMessage = first !== undefined && last !== undefined && sentence.some(hasOwnWords);
    if (isMessage) walk.found.push({ at: [first.start, last.end], text, slots, place: "children" });
    for (const child of sentence) visitChild(child, isMessage, walk);
  }
}

/** Children in groups: words with what is among them, and each of the others by itself. */
function sentencesOf(children: readonly Syntax[]): readonly (readonly Syntax[])[] {
  const groups: Syntax[][] = [[]];
  for (const child of children)
    if (canBeAmongWords(child)) groups.at(-1)?.push(child);
    else groups.push([child], []);
  return groups.flatMap(trimGroup).filter((group) => group.length > 0);
}

/** Lines between tags that are no words, and what says nothing at the edge, stay as they are. */
function trimGroup(group: readonly Syntax[]): readonly (readonly Syntax[])[] {
  if (!group.some(hasOwnWords)) return group.map((child) => [child]);
  const isEdge = (child: Syntax): boolean => (child.type === "JSXText" ? textOf(child) === "" : holdsNothing(child));
  let [from, to] = [0, group.length];
  while (from < to && isEdge(group[from] as Syntax)) from++;
  while (to > from && isEdge(group[to - 1] as Syntax)) to--;
  const alone = (child: Syntax): readonly Syntax[] => [child];
  return [...group.slice(0, from).map(alone), group.slice(from, to), ...group.slice(to).map(alone)];
}

const isElement = ({ type }: Syntax): boolean => type === "JSXElement" || type === "JSXFragment";
const hasOwnWords = (child: Syntax): boolean =>
  (child.type === "JSXText" || spokenText(child) !== null) && /\p{L}/u.test(spokenText(child) ?? textOf(child));

/** An element that is no part of a sentence, or an expression that gives elements, ends it. */
function canBeAmongWords(child: Syntax): boolean {
  if (child.type === "JSXElement") return isInlineElement(nameOf(child));
  if (child.type === "JSXExpressionContainer") return !givesElements(nodeIn(child, "expression"));
  return child.type === "JSXText";
}

function givesElements(node: Syntax | null): boolean {
  if (node === null) return false;
  if (isElement(node)) return true;
  if (node.type === "CallExpression")
    return /^(?:map|flatMap)$/.test(String(nodeIn(nodeIn(node, "callee"), "property")?.name ?? ""));
  if (node.type === "LogicalExpression") return givesElements(nodeIn(node, "right"));
  if (node.type !== "ConditionalExpression") return false;
  return givesElements(nodeIn(node, "consequent")) || givesElements(nodeIn(node, "alternate"));
}

const holdsNothing = (child: Syntax): boolean => {
  const expression = child.type === "JSXExpressionContainer" ? nodeIn(child, "expression") : null;
  return expression?.type === "JSXEmptyExpression" || spokenText(child)?.trim() === "";
};

/** `{" "}` or `{"words"}`. */
function spokenText(child: Syntax): string | null {
  const value = child.type === "JSXExpressionContainer" ? nodeIn(child, "expression")?.value : null;
  return typeof value === "string" ? value : null;
}

function nameOf(element: Syntax): string {
  return String(nodeIn(nodeIn(element, "openingElement"), "name")?.name ?? "");
}

function writeChild(child: Syntax, slots: Slot[]): string {
  if (child.type === "JSXText") return textOf(child);
  if (child.type === "JSXExpressionContainer") return writeExpression(child, slots);
  const slot = slots.length;
  const [opening, closing] = [nodeIn(child, "openingElement"), nodeIn(child, "closingElement")];
  const children = nodesIn(child, "children");
  if (opening === null || closing === null || !children.every(canBeAmongWords) || !children.some(hasOwnWords)) {
    slots.push({ kind: "sealed", at: rangeOf(child) });
    return `<${slot}/>`;
  }
  slots.push({ kind: "element", open: rangeOf(opening), close: rangeOf(closing) });
  return `<${slot}>${children.map((each) => writeChild(each, slots)).join("")}</${slot}>`;
}

function writeExpression(child: Syntax, slots: Slot[]): string {
  const expression = nodeIn(child, "expression");
  if (expression === null || expression.type === "JSXEmptyExpression") return "";
  return spokenText(child) ?? fillSlot(expression, slots);
}

/** What is inside of a message is visited for the words in its attributes and values; its own words are the message's. */
function visitChild(child: Syntax, isInMessage: boolean, walk: Walk): void {
  if (child.type === "JSXText") return;
  if (child.type === "JSXExpressionContainer") {
    const expression = nodeIn(child, "expression");
    if (expression !== null && !(isInMessage && spokenText(child) !== null))
      visitValue(expression, true, isInMessage, walk);
    return;
  }
  const children = nodesIn(child, "children");
  if (isInMessage && isElement(child) && children.every(canBeAmongWords) && children.some(hasOwnWords)) {
    walk.visit(nodeIn(child, "openingElement"), false);
    for (const each of children) visitChild(each, true, walk);
  } else walk.visit(child, true);
}

/** As a page shows it: lines become one, and the room around them goes. */
function textOf(text: Syntax): string {
  const lines = String(text.value).split(/\r?\n/);
  return lines
    .map((line, index) => {
      const begun = index === 0 ? line : line.trimStart();
      return index === lines.length - 1 ? begun : begun.trimEnd();
    })
    .filter((line, index) => line !== "" || (lines.length === 1 && index === 0))
    .join(" ");
}
