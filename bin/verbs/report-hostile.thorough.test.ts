/** The HTML report of hostile texts in a browser: none of them acts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlReport } from '../../src/kit/report/index.ts';
import { hostileReport, hostileTexts, hostileTraces } from '../../src/kit/report/html/hostile.test-helper.ts';
import { scratch } from '../run.test-helper.ts';
import { browserPath, noBrowser, openAll, openPage, startBrowser } from './browser.test-helper.ts';

const hostile = join(scratch, 'hostile.html');
let browser: Browser;

beforeAll(async () => {
  if (browserPath === undefined) return;
  browser = await startBrowser();
  const missing = hostileTexts.map((name) => ({ name, reason: name }));
  writeFileSync(
    hostile,
    htmlReport(hostileReport(), { color: false, traces: hostileTraces(), diagrams: 'all', missing }),
  );
});
afterAll(() => browser?.close());

const isHacked = (page: Page): Promise<boolean> => page.evaluate(() => 'hacked' in globalThis);

describe.skipIf(browserPath === undefined)(
  `200 hostile texts in a page (${browserPath ?? noBrowser})`,
  () => {
    it('do not act, whatever is opened, chosen, searched and filtered', async () => {
      const { page, tried } = await openPage(browser, hostile);
      await openAll(page);
      await page.waitForFunction(`document.querySelectorAll('.event').length > ${hostileTexts.length}`);
      // Each event of the first trace is chosen, so that its panel shows each text as a key and as a value.
      const shown = await page.evaluate<readonly string[]>(`
      [...document.querySelectorAll('.trace .event')].slice(0, 230).map((line) => {
        line.click();
        return document.querySelector('.panel:not([hidden])')?.textContent ?? '';
      })`);
      expect(shown.filter((text) => text.includes('window.hacked')).length).toBeGreaterThan(100);
      // Typed once; the others without the layout that typing waits for.
      await page.fill('#search', hostileTexts[0] ?? '');
      await page.evaluate(`
      for (const text of ${JSON.stringify([...hostileTexts.slice(1, 20), ''])}) {
        const search = document.querySelector('#search');
        search.value = text;
        search.dispatchEvent(new Event('input', { bubbles: true }));
      }`);
      expect(await page.locator('#found').textContent()).toBe('');
      for (const select of await page.locator('.trace select').all()) await select.selectOption({ index: 1 });
      await page.keyboard.press('n');
      expect({ tried, hacked: await isHacked(page) }).toEqual({ tried: [], hacked: false });
    });

    it('do not act in the address', async () => {
      const { page, tried } = await openPage(browser, hostile);
      for (const text of hostileTexts.slice(0, 60)) {
        await page.evaluate(`location.hash = ${JSON.stringify(text)}`);
      }
      expect({ tried, hacked: await isHacked(page) }).toEqual({ tried: [], hacked: false });
    });

    it('would be noticed if one acted', async () => {
      const acting = join(scratch, 'acting.html');
      writeFileSync(acting, '<script>window.hacked=1</script><img src="http://127.0.0.1:9/stolen">');
      const { page, tried } = await openPage(browser, acting);
      expect(await isHacked(page)).toBe(true);
      expect(tried).toContain('request http://127.0.0.1:9/stolen');
    });
  },
);
