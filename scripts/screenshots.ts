// `node scripts/screenshots.ts OUTDIR [--only PART,PART] [--since TIME]`: a picture of every page and state in light, dark and on a
// phone, for looking at by hand; with `--docs` those of docs/screens: the same as WebP, cut at three screens. The pages must be built.
// Names say what they show: `project-tasks.dark.png`. `--only` takes those whose name contains one of the parts. `--since 2h` takes up
// where a run within the last two hours was broken off: pages whose three pictures are newer are left as they are.

import { mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { obtainChromium } from "../test/helpers/find-chromium.ts";
import { startSampleLab } from "../test/helpers/sample-lab.ts";
import { profileOf, type SamplePage, samplePages } from "../test/helpers/sample-pages.ts";
import { fillSampleWorld, type SampleWorld } from "../test/helpers/sample-world.ts";
import { makeDataFolder, removeDataFolder, startServer, stopServer } from "../test/helpers/served.ts";
import { accountsSettings } from "../test/helpers/web-session.ts";

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

const looks = ["light", "dark", "phone"] as const;
type Look = (typeof looks)[number];

/** A page that still asks for something after this long is shown as it is. */
const settleLimitMs = 5_000;
const screensInDocs = 3;
/** Letters stay sharp, and three hundred pictures stay below ten megabytes. */
const webpQuality = 0.8;

const { values, positionals } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    docs: { type: "boolean", default: false },
    since: { type: "string", default: "" },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (!folder) throw new Error("say where to put the pictures: node scripts/screenshots.ts OUTDIR");
mkdirSync(folder, { recursive: true });
const data = makeDataFolder();
const lab = await startSampleLab();
const server = { ...(await startServer(data, { settings: { ...accountsSettings, ...lab.settings } })), data };
const { path: executablePath } = await obtainChromium();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const world = await fillSampleWorld(server);
  const shots: readonly Shot[] = [...samplePages(world), ...opened(world)];
  const wanted = shots.filter(isWanted);
  for (const shot of wanted) {
    if (isTaken(shot, folder)) continue;
    await takeAll(shot, profileOf(world, shot.as), folder);
    process.stderr.write(`${shot.name}\n`);
  }
  if (values.docs && values.only === "") writeFileSync(path.join(folder, "README.md"), galleryOf(wanted));
} finally {
  await browser.close();
  await stopServer(server);
  await lab.close();
  await removeDataFolder(data);
}

/** `prepare`: before the page is opened; `act`: what is done on it. */
type Shot = SamplePage & {
  readonly prepare?: (page: Page) => Promise<void>;
  readonly act?: (page: Page) => Promise<void>;
};

/** States that have no address of their own. */
function opened({ runs }: SampleWorld): readonly Shot[] {
  // Nobody answers: what is shown while one waits.
  const prepare = async (page: Page) => {
    await page.route(/\/api\/homework\/|\/api\/chat\//, () => {});
  };
  const holdSources = async (page: Page) => {
    await page.route(/\/sources\?|include_workspace/, () => {});
  };
  const press = (name: RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
  const openShortcuts = async (page: Page) => {
    await page.locator("h1").first().waitFor();
    await page.keyboard.press("?");
  };
  const openAdvanced = async (page: Page) => {
    await page.getByRole("textbox", { name: "What do you want done?" }).click();
    await press(/^Advanced/)(page);
  };
  return [
    { name: "homework-loading", path: "/homework", as: "dora", prepare },
    { name: "run-loading", path: `/homework/runs/${runs.running}`, as: "dora", prepare },
    { name: "homework-advanced", path: "/homework", as: "dora", act: openAdvanced },
    { name: "shortcuts", path: "/projects", as: "dora", act: openShortcuts },
    { name: "bell", path: "/projects", as: "dora", act: press(/notification/i) },
    { name: "run-sources-loading", path: `/homework/runs/${runs.completed}/sources`, as: "dora", prepare: holdSources },
  ];
}

function isWanted({ name }: Shot): boolean {
  return values.only.split(",").some((part) => name.includes(part.trim()));
}

/** All three pictures were made within the time that `--since` names, such as `90m` or `2h`. */
function isTaken({ name }: Shot, into: string): boolean {
  if (values.since === "") return false;
  const [, number, unit] = /^(\d+)([mh])$/.exec(values.since) ?? [];
  if (number === undefined) throw new Error("--since takes minutes or hours, such as 90m or 2h");
  const from = Date.now() - Number(number) * (unit === "h" ? 3_600_000 : 60_000);
  return looks.every((look) => {
    const file = path.join(into, `${name}.${look}.${values.docs ? "webp" : "png"}`);
    return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= from;
  });
}

function galleryOf(shots: readonly Shot[]): string {
  const rows = shots.map(
    ({ name }) =>
      `## ${name.replaceAll("-", " ")}\n\n${looks.map((look) => `![${look}](${name}.${look}.webp)`).join("\n")}\n`,
  );
  return `# Pages and states\n\nIn light, dark and on a phone, made by \`npm run screenshots -- docs/screens --docs\`.\n\n${rows.join("\n")}`;
}

async function takeAll(shot: Shot, profile: BrowserContextOptions, into: string): Promise<void> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: desktop,
    reducedMotion: "reduce",
    ...profile,
  });
  const page = await context.newPage();
  await shot.prepare?.(page);
  await page.goto(shot.path);
  if (!shot.prepare) await settle(page);
  await shot.act?.(page);
  await page.waitForTimeout(shot.prepare || shot.act ? 1_500 : 300);
  await take(page, shot, "light", into);
  await page.emulateMedia({ colorScheme: "dark" });
  await take(page, shot, "dark", into);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(phone);
  await take(page, shot, "phone", into);
  await context.close();
}

async function take(page: Page, { name }: Shot, look: Look, into: string): Promise<void> {
  const file = path.join(into, `${name}.${look}`);
  const screen = look === "phone" ? phone : desktop;
  // What lies over the page covers one screen, and the rest of the page cannot be scrolled to.
  const isCovered = (await page.getByRole("dialog").count()) > 0;
  if (!values.docs) return void (await page.screenshot({ path: `${file}.png`, fullPage: !isCovered }));
  const whole = isCovered ? screen.height : Number(await page.evaluate("document.documentElement.scrollHeight"));
  const height = Math.min(whole, screensInDocs * screen.height);
  const clip = { x: 0, y: 0, width: screen.width, height };
  writeFileSync(`${file}.webp`, await toWebp(await page.screenshot({ fullPage: true, clip })));
}

/** The browser has an encoder, so none has to be installed. */
async function toWebp(png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const address = await page.evaluate<string>(`(async () => {
    const picture = new Image();
    picture.src = "data:image/png;base64,${png.toString("base64")}";
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext("2d").drawImage(picture, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: ${webpQuality} })).arrayBuffer());
    return bytes.toBase64 ? bytes.toBase64() : btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  })()`);
  await page.close();
  return Buffer.from(address, "base64");
}

/** Loaded, and nothing grey left where something is still to come. */
async function settle(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page
    .locator('main [aria-busy="true"]')
    .first()
    .waitFor({ state: "detached", timeout: settleLimitMs })
    .catch(() => {});
  // Some parts come when they are scrolled to.
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await page.waitForTimeout(400);
  await page.evaluate("scrollTo(0, 0)");
  await page.evaluate("document.fonts.ready");
}
