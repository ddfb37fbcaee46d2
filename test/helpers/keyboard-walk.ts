// Walks through a page with Tab, as often as it takes to come round, and says what a person with a mouse could use that
// was never reached, and where one would not have seen where one is.

import type { CDPSession, Page } from "playwright-core";

export type Walk = {
  readonly stops: number;
  /** Can be pointed at, and was not reached. */
  readonly missed: readonly string[];
  /** Looked with the focus as it does without. */
  readonly unseen: readonly string[];
};

/** More stops than any page has; whoever needs more of them is in a trap. */
const stopsMax = 500;
/** Keys between two looks whether it has come round. */
const atOnce = 15;
/** A long list renders only a dozen rows ahead; more keys at once would jump over rows that are not there yet. */
const atOnceInLongLists = 4;

/** Parts of a page come late, and one that comes behind the walker is reached the next time round. */
const roundsMax = 3;

export async function walkWithTab(page: Page): Promise<Walk> {
  let walk = await walkOnce(page);
  for (let rounds = 1; rounds < roundsMax && walk.missed.length > 0; rounds++) walk = await walkOnce(page);
  return walk;
}

async function walkOnce(page: Page): Promise<Walk> {
  await page.evaluate(`(${begin})()`);
  const session = await page.context().newCDPSession(page);
  const isLong = (await page.locator("[aria-posinset]").count()) > 0;
  const keys = isLong ? atOnceInLongLists : atOnce;
  for (let stops = 0; stops < stopsMax; stops += keys) {
    // Sent one after the other without waiting for each to be done, as a keyboard does.
    const sent = Array.from({ length: keys }, () => pressTab(session));
    await Promise.all(sent.flat());
    if (isLong) await page.evaluate(twoFrames);
    if (await page.evaluate<boolean>("keyboardWalk.hasComeRound()")) {
      await session.detach();
      return page.evaluate<Walk>("keyboardWalk.end()");
    }
  }
  throw new Error(`Tab does not come round on ${page.url()}`);
}

/** In the first the list hears that it was scrolled, before the second it has made its rows. */
const twoFrames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

const tab = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 } as const;

const pressTab = (session: CDPSession) => [
  session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...tab }),
  session.send("Input.dispatchKeyEvent", { type: "keyUp", ...tab }),
];

// The rest runs in the page, so it is text: no build step touches it, and the page's content security policy allows nothing else.
const begin = `() => {
  const own = "a[href], button, input:not([type=hidden]), select, textarea, summary, " +
    ["button", "link", "tab", "treeitem", "switch", "checkbox", "radio", "combobox", "menuitem", "option"]
      .map((role) => "[role=" + role + "]").join(", ");
  const looks = ["outlineStyle", "outlineWidth", "outlineColor", "boxShadow", "borderColor", "backgroundColor", "color", "textDecorationLine"];
  /** Where a style sheet may show that something has the focus: itself, its label, the frame of a field. */
  const around = (element) => [element, element.firstElementChild, element.nextElementSibling, element.parentElement,
    element.parentElement?.nextElementSibling, element.parentElement?.parentElement, element.parentElement?.parentElement?.parentElement]
    .filter((one) => one instanceof Element);
  const lookOf = (element) => around(element).map((one) => {
    const style = getComputedStyle(one);
    return looks.map((name) => style[name]).join();
  }).join(";");

  const reached = new Map();
  /** Rows of a long list are made anew when one comes back to them: there a name says which one it is. */
  const reachedRows = new Set();
  const rowOf = (element) => {
    const row = element.closest("[aria-posinset]");
    return row === null ? null : row.getAttribute("aria-posinset") + nameOf(element);
  };
  let first = null, isRound = false;
  const onFocus = ({ target }) => {
    first ??= target;
    if (reached.size > 1 && target === first) isRound = true;
    if (!reached.has(target)) reached.set(target, lookOf(target));
    reachedRows.add(rowOf(target));
  };
  document.addEventListener("focusin", onFocus);
  document.activeElement?.blur();

  const nameOf = (element) => {
    const role = element.getAttribute("role") ?? element.tagName.toLowerCase();
    const text = element.getAttribute("aria-label") ?? element.textContent.trim().replace(/\\s+/g, " ");
    return role + " “" + text.slice(0, 60) + "” ." + String(element.className).split(" ").slice(0, 2).join(".");
  };
  const isUsable = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled")
      && element.closest("[inert], [aria-hidden=true], [aria-disabled=true], [data-disabled]") === null;
  };
  const top = () => [...document.querySelectorAll("[role=dialog][aria-modal=true]")].filter(isUsable).at(-1) ?? document.body;
  /** One stop for all of them; arrows walk on inside. */
  const isWalkedByArrows = (element) => {
    const whole = element.closest("[role=tree], [role=tablist], [role=radiogroup], [role=menu], [role=listbox]");
    if (whole && [...reached.keys()].some((one) => whole.contains(one))) return true;
    return element.matches("input[type=radio]") && [...reached.keys()].some((one) => one.name === element.name && one.type === "radio");
  };
  const isReached = (element) => reached.has(element) || isWalkedByArrows(element)
    || (rowOf(element) !== null && reachedRows.has(rowOf(element)))
    || (element.control instanceof Element && isReached(element.control));
  /** No control itself, only the frame or the label of one that was reached. */
  const isFrame = (element) => !element.matches(own)
    && [element.closest("label"), ...element.querySelectorAll(own + ", label")].some((one) => one !== null && isReached(one));
  const pointedAt = () => [...top().querySelectorAll("*")].filter((element) => {
    if (element.matches(own)) return true;
    if (getComputedStyle(element).cursor !== "pointer" || element.closest(own) !== null) return false;
    const parent = element.parentElement;
    return parent === null || getComputedStyle(parent).cursor !== "pointer";
  }).filter((element) => isUsable(element));

  globalThis.keyboardWalk = {
    hasComeRound: () => isRound,
    end: () => {
      document.removeEventListener("focusin", onFocus);
      document.activeElement?.blur();
      const missed = pointedAt().filter((element) => !isReached(element) && !isFrame(element)).map(nameOf);
      const unseen = [...reached].filter(([element, look]) => element.isConnected && element !== document.body && lookOf(element) === look)
        .map(([element]) => nameOf(element));
      return { stops: reached.size, missed, unseen };
    },
  };
}`;
