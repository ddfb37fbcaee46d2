// Finds the words for people in one source file: walks through its syntax and decides for each text by its place and its form.
// It knows nothing of languages and changes nothing.

import { type ParserOptions, parseSync } from "oxc-parser";
import { hasWords, looksLikeWords } from "./is-words.ts";
import { childrenMessages } from "./jsx-messages.ts";
import type { Message, Slot } from "./message.ts";
import {
  isKeyOfText,
  isShownName,
  isStyleName,
  isUnreadCall,
  isUnreadClass,
  isUnreadName,
  isWordFile,
} from "./places.ts";
import { fillSlot, nodeIn, nodesIn, rangeOf, type Syntax, visitValue, type Walk } from "./syntax.ts";

const options: ParserOptions = { preserveParens: false };
const comparisons = new Set(["==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"]);
const wrappers = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "ChainExpression"]);

/** In the order in which they stand in the source; a message in the slot of another comes after it. */
export function findMessages(file: string, source: string): readonly Message[] {
  const { program, errors } = parseSync(file, source, options);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const walk: Walk = {
    found: [],
    isWordFile: isWordFile(file),
    depth: 0,
    visit: (node, isShown) => visit(node, isShown, walk),
  };
  visit(program as unknown as Syntax, false, walk);
  return walk.found.sort((a, b) => a.at[0] - b.at[0] || b.at[1] - a.at[1]);
}

/** `isShown`: what this expression gives is put before a person. */
function visit(node: Syntax | null, isShown: boolean, walk: Walk): void {
  if (node === null) return;
  if (wrappers.has(node.type)) visit(nodeIn(node, "expression"), isShown, walk);
  if (node.type.startsWith("TS") || wrappers.has(node.type)) return;
  const special = visits[node.type];
  if (special) special(node, isShown, walk);
  else visitBelow(node, walk);
}

type Visit = (node: Syntax, isShown: boolean, walk: Walk) => void;
const skip: Visit = () => {};

const visits: Readonly<Record<string, Visit>> = {
  ImportDeclaration: skip,
  ImportExpression: skip,
  ExportAllDeclaration: skip,
  TaggedTemplateExpression: skip,
  Literal: visitLiteral,
  TemplateLiteral: visitTemplate,
  BinaryExpression: visitBinary,
  ExportNamedDeclaration: (node, _, walk) => visit(nodeIn(node, "declaration"), false, walk),
  ConditionalExpression: (node, isShown, walk) => {
    visit(nodeIn(node, "test"), false, walk);
    visit(nodeIn(node, "consequent"), isShown, walk);
    visit(nodeIn(node, "alternate"), isShown, walk);
  },
  LogicalExpression: (node, isShown, walk) => {
    visit(nodeIn(node, "left"), isShown && node.operator !== "&&", walk);
    visit(nodeIn(node, "right"), isShown, walk);
  },
  ArrayExpression: (node, isShown, walk) => {
    for (const element of nodesIn(node, "elements")) visit(element, isShown, walk);
  },
  ObjectExpression: (node, isShown, walk) => {
    for (const property of nodesIn(node, "properties")) visit(property, isShown, walk);
  },
  VariableDeclarator: visitNamed,
  FunctionDeclaration: visitNamed,
  FunctionExpression: visitFunction,
  ArrowFunctionExpression: visitFunction,
  SwitchCase: (node, _, walk) => {
    for (const statement of nodesIn(node, "consequent")) visit(statement, false, walk);
  },
  MemberExpression: (node, _, walk) => {
    // A list of keys is often written as one text: `"one two".split(" ")`.
    if (nodeIn(node, "property")?.name !== "split") visit(nodeIn(node, "object"), false, walk);
    if (nodeIn(node, "property")?.type !== "Literal") visit(nodeIn(node, "property"), false, walk);
  },
  Property: visitProperty,
  PropertyDefinition: visitProperty,
  CallExpression: visitCall,
  NewExpression: visitCall,
  JSXAttribute: visitAttribute,
  JSXElement: (node, _, walk) => {
    visit(nodeIn(node, "openingElement"), false, walk);
    childrenMessages(nodesIn(node, "children"), walk);
  },
  JSXFragment: (node, _, walk) => childrenMessages(nodesIn(node, "children"), walk),
};

function visitBelow(node: Syntax, walk: Walk): void {
  for (const below of Object.values(node)) {
    if (Array.isArray(below)) for (const each of below) visitIfNode(each, walk);
    else visitIfNode(below, walk);
  }
}

/** A table of words is shown as a whole: one that is called so, or at the top of a file of words. Tables of colours are not read at all. */
function visitNamed(node: Syntax, _: boolean, walk: Walk): void {
  const name = String(nodeIn(node, "id")?.name ?? "");
  if (isStyleName(name)) return;
  if (node.type === "FunctionDeclaration") visitFunction(node, false, walk);
  else visit(nodeIn(node, "init"), /[wW]ords$/.test(name) || (walk.isWordFile && walk.depth === 0), walk);
}

function visitFunction(node: Syntax, _: boolean, walk: Walk): void {
  walk.depth++;
  visitBelow(node, walk);
  walk.depth--;
}

function visitIfNode(value: unknown, walk: Walk): void {
  if (typeof value === "object" && value !== null && "type" in value) visit(value as Syntax, false, walk);
}

function visitLiteral(node: Syntax, isShown: boolean, walk: Walk): void {
  if (typeof node.value !== "string" || !isRead(node.value, isShown)) return;
  walk.found.push({ at: rangeOf(node), text: node.value, slots: [], place: "expression" });
}

function isRead(text: string, isShown: boolean): boolean {
  return isShown ? hasWords(text) && !isKeyOfText(text) : looksLikeWords(text);
}

function visitTemplate(node: Syntax, isShown: boolean, walk: Walk): void {
  visitPieces(node, piecesOf(node), isShown, walk);
}

/** A text or an expression in a chain of texts. */
type Piece = string | Syntax;

function visitPieces(node: Syntax, pieces: readonly Piece[], isShown: boolean, walk: Walk): void {
  const slots: Slot[] = [];
  const text = pieces.map((piece) => (typeof piece === "string" ? piece : fillSlot(piece, slots))).join("");
  const read = isRead(text, isShown);
  if (read) walk.found.push({ at: rangeOf(node), text, slots, place: "expression" });
  for (const piece of pieces) if (typeof piece !== "string") visitValue(piece, isShown || read, read, walk);
}

function piecesOf(template: Syntax): readonly Piece[] {
  const expressions = nodesIn(template, "expressions");
  return nodesIn(template, "quasis").flatMap((quasi, index) => {
    const { cooked } = quasi.value as { readonly cooked: string };
    const expression = expressions[index];
    return expression ? [cooked, expression] : [cooked];
  });
}

function visitBinary(node: Syntax, isShown: boolean, walk: Walk): void {
  if (node.operator === "+") {
    const pieces = chainOf(node);
    if (pieces.some((piece) => typeof piece === "string")) {
      visitPieces(node, pieces, isShown, walk);
      return;
    }
  }
  const compares = comparisons.has(String(node.operator));
  for (const side of [nodeIn(node, "left"), nodeIn(node, "right")])
    if (!(compares && (side?.type === "Literal" || side?.type === "TemplateLiteral")))
      visit(side, isShown && !compares, walk);
}

/** `"a " + b + " c"`, as one text. */
function chainOf(node: Syntax | null): readonly Piece[] {
  if (node === null) return [];
  if (node.type === "BinaryExpression" && node.operator === "+")
    return [...chainOf(nodeIn(node, "left")), ...chainOf(nodeIn(node, "right"))];
  if (node.type === "Literal" && typeof node.value === "string") return [node.value];
  return node.type === "TemplateLiteral" ? piecesOf(node) : [node];
}

function visitProperty(node: Syntax, isShown: boolean, walk: Walk): void {
  const key = nodeIn(node, "key");
  const name = node.computed ? "" : String(key?.name ?? key?.value ?? "");
  if (node.computed) visit(key, false, walk);
  if (!isUnreadName(name)) visit(nodeIn(node, "value"), isShown || isShownName(name), walk);
}

function visitCall(node: Syntax, _: boolean, walk: Walk): void {
  const callee = nodeIn(node, "callee");
  const name = nameOf(callee);
  const args = nodesIn(node, "arguments");
  visit(callee, false, walk);
  const takesLocale = /^toLocale|^(?:DateTimeFormat|NumberFormat|RelativeTimeFormat|PluralRules|ListFormat)$/.test(
    name,
  );
  if (takesLocale && isEnglish(args[0]))
    walk.found.push({ at: rangeOf(args[0]), text: "en", slots: [], place: "locale" });
  if (name === "counted" && isNoun(args[1])) {
    visit(args[0] ?? null, false, walk);
    const noun = String(args[1].value);
    const text = noun.includes("|") ? noun : `${noun}|${noun}s`;
    walk.found.push({ at: rangeOf(args[1]), text, slots: [], place: "expression" });
    return;
  }
  const skipsTexts =
    takesLocale || (node.type === "NewExpression" ? isUnreadClass(name) : isUnreadCall(name, objectOf(callee)));
  for (const argument of args)
    if (!(skipsTexts && isText(argument)) && !takesLocale) visit(argument, name === "join", walk);
}

const isText = ({ type }: Syntax): boolean =>
  type === "Literal" || type === "TemplateLiteral" || type === "BinaryExpression";
const isEnglish = (node: Syntax | undefined): node is Syntax => /^en(-\w+)?$/.test(String(node?.value ?? ""));
const isNoun = (node: Syntax | undefined): node is Syntax => typeof node?.value === "string";

function nameOf(callee: Syntax | null): string {
  return String((callee?.type === "MemberExpression" ? nodeIn(callee, "property") : callee)?.name ?? "");
}

function objectOf(callee: Syntax | null): string | null {
  if (callee?.type !== "MemberExpression") return null;
  return nameOf(nodeIn(callee, "object")) || null;
}

function visitAttribute(node: Syntax, _: boolean, walk: Walk): void {
  const name = String(nodeIn(node, "name")?.name ?? "");
  const value = nodeIn(node, "value");
  if (value === null || isUnreadName(name)) return;
  const isShown = isShownName(name);
  const text = value.type === "Literal" ? String(value.value) : null;
  if (text === null) visit(nodeIn(value, "expression") ?? value, isShown, walk);
  else if (isRead(text, isShown)) walk.found.push({ at: rangeOf(value), text, slots: [], place: "attribute" });
}
