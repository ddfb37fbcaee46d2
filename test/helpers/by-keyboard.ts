// A person without a mouse: gets somewhere with Tab, and presses keys there. Nothing is focused or clicked for them.

import type { Locator, Page } from "playwright-core";

/** No page has more stops than this. */
const stopsMax = 120;

export const hasFocus = async (target: Locator): Promise<boolean> =>
  (await target.and(target.page().locator(":focus")).count()) === 1;

/** Presses Tab until it is there. Looking the target up takes as long as many keys, so it is done again only where the page has replaced it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  if (await hasFocus(target)) return;
  let element = await target.elementHandle();
  for (let stops = 0; stops < stopsMax; stops++) {
    await page.keyboard.press("Tab");
    const place = await element?.evaluate((one) =>
      one.isConnected ? (one.matches(":focus") ? "here" : "elsewhere") : "gone",
    );
    if (place === "here" && (await hasFocus(target))) return;
    if (place === "gone") element = await target.elementHandle();
  }
  throw new Error(`${String(target)} cannot be reached with Tab`);
}

/** Gets to a button or link, and presses Enter on it; switches and boxes take a space. */
export async function press(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Gets to a field and writes into it, instead of what it had. The page draws itself anew with every key, so the first word is typed and the rest comes at once. */
export async function write(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+a");
  const [first = ""] = text.split(/(?<= )/);
  await page.keyboard.type(first);
  if (first !== text) await page.keyboard.insertText(text.slice(first.length));
}
