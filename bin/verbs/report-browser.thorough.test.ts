/** The HTML report in a browser: what is chosen is shown, keys and filters work. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lateTextFault, longTimeouts, scratch, wireproof } from '../run.test-helper.ts';
import { browserPath, noBrowser, openAll, openPage, startBrowser } from './browser.test-helper.ts';

const failed = join(scratch, 'failed-fold.html');
let browser: Browser;

/** The agent sends a text after each done: FOLD-A15 fails, in a trace of two scenarios or more. */
async function checkFaultyAgent(): Promise<void> {
  const scenarios = ['--scenario', 'plain-message', '--scenario', 'cancel-mid-tool'];
  const args = [
    'check',
    'fold/agent',
    ...scenarios,
    ...longTimeouts,
    '--trace-dir',
    join(scratch, 'page-traces'),
  ];
  const target = [process.execPath, lateTextFault('late-text-page'), '{address}'];
  const { code, stderr } = await wireproof([...args, '--report', `html=${failed}`, '--', ...target]);
  expect({ code, stderr }).toMatchObject({ code: 1 });
}

beforeAll(async () => {
  if (browserPath === undefined) return;
  browser = await startBrowser();
  await checkFaultyAgent();
});
afterAll(() => browser?.close());

describe.skipIf(browserPath === undefined)(`a page (${browserPath ?? noBrowser})`, () => {
  it('shows the data of the event at fault, and links it with its requirement', async () => {
    const { page, tried } = await openPage(browser, failed);
    await page.locator('#FOLD-A15 a[data-event]').first().click();
    const panel = page.locator('.panel:visible');
    expect(await panel.locator('.violation').textContent()).toContain('FOLD-A15');
    expect(await panel.locator('.data').textContent()).toMatch(/"response": \{\n\s+"request_id"/);
    const chosen = page.locator('.event[aria-selected="true"]');
    expect(await chosen.getAttribute('class')).toContain('fault');
    await panel.locator('.violation a').click();
    expect(new URL(page.url()).hash).toBe('#FOLD-A15');
    expect(tried).toEqual([]);
  });

  it('opens at the event that a link names', async () => {
    const { page } = await openPage(browser, failed);
    const link = await page.locator('#FOLD-A15 a[data-event]').first().getAttribute('href');
    await page.goto(`${page.url()}${link ?? ''}`);
    await page.reload();
    expect(await page.locator('.event[aria-selected="true"]').getAttribute('id')).toBe(link?.slice(1));
    expect(await page.locator('.event[aria-selected="true"]').isVisible()).toBe(true);
  });

  it('filters events by kind, request and scenario, and says how many are left', async () => {
    const { page } = await openPage(browser, failed);
    const events = page.locator('.trace[open] .event');
    await page.locator('select[data-filter="scenario"]').first().selectOption('');
    const all = await events.count();
    await page.locator('select[data-filter="kind"]').first().selectOption('message: response · done');
    const done = await events.count();
    expect(done).toBeGreaterThan(0);
    expect(await events.locator('b').allTextContents()).toEqual(Array<string>(done).fill('response · done'));
    expect(await page.locator('.shown').first().textContent()).toBe(`${done} of ${all} events shown`);
    await page.locator('select[data-filter="kind"]').first().selectOption('');
    const requests = page.locator('select[data-filter="request"]').first();
    const request = await requests.locator('option', { hasText: 'request_id' }).first().getAttribute('value');
    await requests.selectOption(request);
    const ids = await events.evaluateAll((lines) => lines.length);
    expect(ids).toBeGreaterThan(1);
    expect(ids).toBeLessThan(all);
  });

  it('filters requirements by verdict, and finds texts in rows and events', async () => {
    const { page } = await openPage(browser, failed);
    const rows = page.locator('details.row:visible');
    const all = await rows.count();
    await page.locator('button[data-verdict="fail"]').click();
    const fails = await rows.count();
    expect(fails).toBeGreaterThan(0);
    expect(fails).toBeLessThan(all);
    await page.locator('button[data-verdict="fail"]').click();
    await page.keyboard.press('/');
    await page.keyboard.type('"text":"late"');
    expect(await page.locator('#found').textContent()).toMatch(
      /^\d+ requirements? and [1-9]\d* events? of the open traces$/,
    );
    for (const text of await page.locator('.trace[open] .event').allTextContents())
      expect(text).toContain('"late"');
    await page.keyboard.press('Escape');
    expect(await rows.count()).toBe(all);
  });

  it('obeys the keyboard', async () => {
    const { page } = await openPage(browser, failed);
    const chosen = page.locator('.event[aria-selected="true"]');
    const panel = page.locator('.panel:visible');
    await page.keyboard.press('j');
    const first = Number(await chosen.getAttribute('data-seq'));
    await page.keyboard.press('j');
    expect(Number(await chosen.getAttribute('data-seq'))).toBeGreaterThan(first);
    await page.keyboard.press('k');
    expect(Number(await chosen.getAttribute('data-seq'))).toBe(first);
    expect(await panel.count()).toBe(0);
    await page.keyboard.press('Enter');
    expect(await panel.locator('h3').textContent()).toContain(`Event ${first}`);
    await page.keyboard.press('Escape');
    expect(await panel.count()).toBe(0);
    await page.keyboard.press('n');
    expect(await chosen.getAttribute('class')).toContain('fault');
    const list = await page.evaluate("document.activeElement.getAttribute('role')");
    expect(list).toBe('listbox');
  });

  it('has no sideways scrolling at 360 px', async () => {
    const { page } = await openPage(browser, failed, { viewport: { width: 360, height: 740 } });
    const width = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth');
    expect(await width()).toBe(360);
    await page.locator('.event.fault').first().click();
    expect(await width()).toBe(360);
    await openAll(page);
    expect(await width()).toBe(360);
  });

  it('is dark for those who like it so', async () => {
    const colours = async (colorScheme: 'light' | 'dark'): Promise<readonly string[]> => {
      const { page } = await openPage(browser, failed, { colorScheme });
      return page.evaluate(
        '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]',
      );
    };
    const [light, dark] = [await colours('light'), await colours('dark')];
    expect(light[0]).not.toBe(dark[0]);
    expect(light[1]).not.toBe(dark[1]);
  });

  it('shows everything on paper', async () => {
    const { page } = await openPage(browser, failed);
    await page.locator('button[data-verdict="fail"]').click();
    await page.emulateMedia({ media: 'print' });
    const hidden = page.locator('details.row:not(:visible), .event:not(:visible), details:not([open])');
    await page.waitForFunction("document.querySelectorAll('details:not([open])').length === 0");
    expect(await hidden.count()).toBe(0);
    expect(await page.locator('.tools:visible, .filters:visible, .panel:visible').count()).toBe(0);
  });

  it('tells verdicts, reasons and excerpts without its script', async () => {
    const { page } = await openPage(browser, failed, { javaScriptEnabled: false });
    expect(await page.locator('#FOLD-A15 .message').isVisible()).toBe(true);
    expect(await page.locator('#FOLD-A15 .excerpt').textContent()).toContain('text: "late"');
    expect(await page.locator('.overall').textContent()).toContain('FOLD-A15');
  });
});
