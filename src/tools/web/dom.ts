// The little of a parsed page that we look at, and a walk over it that no depth of nesting can break.

export type DomNode = {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
};

export type DomElement = DomNode & {
  readonly getAttribute: (name: string) => string | null;
  readonly hasAttribute: (name: string) => boolean;
  readonly remove: () => void;
};

export type DomDocument = {
  readonly querySelector: (selector: string) => DomElement | null;
  readonly querySelectorAll: (selector: string) => Iterable<DomElement>;
};

export type Visit =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "enter" | "leave"; readonly name: string };

/** A page within the size limit has fewer honest ones. */
const nodesMax = 200_000;

/** In the order of reading. What is skipped is not entered. */
export function* walk(root: DomElement, isSkipped: (name: string) => boolean): Generator<Visit> {
  let node: DomNode = root;
  for (let visited = 0; visited < nodesMax; visited += 1) {
    const name = node.nodeName.toLowerCase();
    if (node.nodeType === 3) yield { kind: "text", text: node.nodeValue ?? "" };
    const isEntered: boolean = isElement(node) && !isSkipped(name);
    if (isEntered) yield { kind: "enter", name };
    if (isEntered && node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    if (isEntered) yield { kind: "leave", name };
    const next: DomNode | null = yield* leaveUpTo(root, node);
    if (next === null) return;
    node = next;
  }
}

/** Leaves what ends here and returns what comes next. */
function* leaveUpTo(root: DomElement, from: DomNode): Generator<Visit, DomNode | null> {
  let node = from;
  while (node !== root && node.nextSibling === null && node.parentNode !== null) {
    node = node.parentNode;
    yield { kind: "leave", name: node.nodeName.toLowerCase() };
  }
  return node === root ? null : node.nextSibling;
}

function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1;
}
