/** A headless browser for the tests of pages. It lets no request leave, and keeps what a page tried. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** The types of playwright-core name these of the DOM, whose types this program does not have. */
declare global {
  interface Node {
    readonly nodeType: number;
  }
  interface SVGElement extends Node {
    readonly tagName: string;
  }
  interface HTMLElement extends Node {
    readonly tagName: string;
  }
  interface HTMLElementTagNameMap {
    readonly [tag: string]: HTMLElement;
  }
}

const places = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser of this machine; undefined where there is none. */
export const browserPath: string | undefined = places.find((path) => path !== '' && existsSync(path));

/** Why tests of pages are skipped. */
export const noBrowser = 'no browser: install chromium, or name one in CHROMIUM';
if (browserPath === undefined) console.warn(`skipped: ${noBrowser}`);

/** Starts the browser. Chromium's sandbox does not work for root. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(browserPath === undefined ? {} : { executablePath: browserPath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });

/** A page that was opened, and what it tried beyond being shown: requests, dialogs, errors and messages. */
export interface OpenedPage {
  readonly page: Page;
  readonly tried: readonly string[];
}

/** Opens a file in a page of its own, which is closed when the test is over. */
export async function openPage(
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  const tried: string[] = [];
  await context.route('**/*', async (route) => {
    const asked = route.request().url();
    if (asked === url) return route.continue();
    tried.push(`request ${asked}`);
    return route.abort();
  });
  page.on('dialog', (dialog) => {
    tried.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', ({ message }) => tried.push(`error ${message}`));
  page.on('console', (message) => tried.push(`message ${message.text()}`));
  context.on('page', (other) => tried.push(`page ${other.url()}`));
  await page.goto(url);
  return { page, tried };
}

/** Opens every part of a page that can be opened. What runs in a page is text: this program has no types of it. */
export const openAll = (page: Page): Promise<unknown> =>
  page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
