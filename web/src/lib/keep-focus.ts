// What one has pressed may go away: a button that did its work, a row that left its list, a page that made room for the next.
// A browser then has the focus nowhere. This gives it to what was around it, so that keys and screen readers go on from there.

/** What says where one is now, from a dialog or a group of buttons up to the page. */
const places = [
  ...["group", "region", "dialog", "tabpanel", "tree"].map((role) => `[role=${role}]`),
  ...["section", "form", "ul", "ol"].map((tag) => `${tag}:is([aria-label], [aria-labelledby])`),
  ...["li", "article", "nav", "header", "main"],
].join();

/** Dialogs and menus give the focus back themselves, a moment after they have gone. */
const settleMs = 50;

/** An element that had the focus, and all that was around it. */
type Path = readonly [HTMLElement, ...Element[]];

/** Begins; answers how to end it. */
export function keepFocus(): () => void {
  // The last one in the page, and the last one in what lies above it; the newest comes last.
  let paths: readonly Path[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    const path = pathOf(target);
    paths = [...paths.filter((each) => each.at(-1)?.isConnected && each.at(-1) !== path.at(-1)), path];
  };
  const forget = () => {
    paths = [];
  };
  // A user who leaves an element that is still there wants to: a press beside it, or Tab at the end of the page.
  const onLeave = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null || !(target instanceof HTMLElement)) return;
    queueMicrotask(() => {
      if (isNowhere() && canHaveFocus(target)) forget();
    });
  };
  const find = () => {
    timer = undefined;
    if (isNowhere()) focusOn(placeFor(paths));
  };
  const watcher = new MutationObserver(() => {
    if (paths.length > 0 && isNowhere()) timer ??= setTimeout(find, settleMs);
  });
  watcher.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled", "data-loading"] });
  document.addEventListener("focusin", remember);
  document.addEventListener("focusout", onLeave);
  document.addEventListener("pointerdown", forget, true);
  return () => {
    clearTimeout(timer);
    watcher.disconnect();
    document.removeEventListener("focusin", remember);
    document.removeEventListener("focusout", onLeave);
    document.removeEventListener("pointerdown", forget, true);
  };
}

const canHaveFocus = (element: Element) => element.isConnected && !element.matches(":disabled");

/** What was switched off loses the focus as well, a moment later. */
function isNowhere(): boolean {
  const { activeElement: active, body } = document;
  return active === null || active === body || !canHaveFocus(active);
}

function pathOf(element: HTMLElement): Path {
  const around: Element[] = [];
  for (let each = element.parentElement; each && each !== document.body; each = each.parentElement) around.push(each);
  return [element, ...around];
}

/** Null: it is only busy, and will be back. */
function placeFor(paths: readonly Path[]): HTMLElement | null {
  const [had] = paths.at(-1) ?? [];
  if (!had || (had.isConnected && had.matches("[data-loading]:disabled"))) return null;
  const found = paths
    .toReversed()
    .map((path) => path.find(isPlace))
    .find((each) => each !== undefined);
  // What lies under a dialog cannot be used while it is open.
  const dialog = [...document.querySelectorAll("[aria-modal=true]")].at(-1);
  const place = dialog && !(found && dialog.contains(found)) ? dialog : found;
  return place instanceof HTMLElement ? place : null;
}

/** The first of a path is what had the focus. */
const isPlace = (element: Element, index: number) =>
  (index === 0 ? canHaveFocus(element) : element.isConnected && element.matches(places)) &&
  element.checkVisibility({ visibilityProperty: true });

function focusOn(place: HTMLElement | null): void {
  if (place === null) return;
  place.focus({ preventScroll: true });
  if (!isNowhere()) return;
  if (place.hasAttribute("tabindex")) return; // The attribute is React's own, and React would not put it back.
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  if (isNowhere()) {
    place.removeAttribute("tabindex");
    return;
  }
  const onBlur = () => {
    if (document.activeElement === place) return; // Another window is looked at; in this one it still has the focus.
    place.removeEventListener("blur", onBlur);
    place.removeAttribute("tabindex");
  };
  place.addEventListener("blur", onBlur);
}
