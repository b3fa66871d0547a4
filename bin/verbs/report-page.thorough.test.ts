/** The HTML report of a failed LLM run, and of the largest run there is. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changed, python38 } from '../../conformance/examples/python.test-helper.ts';
import { pageLimit } from '../../src/kit/report/html.ts';
import { reference, scratch, wireproof } from '../run.test-helper.ts';
import { browserPath, noBrowser, openAll, openPage, startBrowser } from './browser.test-helper.ts';

let browser: Browser | undefined;
beforeAll(async () => {
  browser = browserPath === undefined ? undefined : await startBrowser();
});
afterAll(() => browser?.close());

const { path: python, why } = python38();

describe('the page of a failed LLM run', () => {
  it('shows three lifelines, and the calls that were executed although the limit cut them', async (context) => {
    if (browser === undefined) return context.skip(noBrowser);
    if (python === undefined) return context.skip(why);
    const wrong = changed('llm_client.py', [
      ["'length': 'max_tokens'", "'length': 'tool_use'"],
      ['if isinstance(value, dict) else None', 'if isinstance(value, dict) else {}'],
      ['except (ValueError, RecursionError): return None', 'except (ValueError, RecursionError): return {}'],
    ]);
    const file = join(scratch, 'failed-llm.html');
    const args = ['check', 'llm/client', '--scenario', 'openai-chat-cut-call', '--report', `html=${file}`];
    const { code } = await wireproof([...args, '--', python, '-c', wrong]);
    expect(code).toBe(1);
    const { page, tried } = await openPage(browser, file);
    expect(await page.locator('.peer').allTextContents()).toEqual(['tester', 'target client', 'provider']);
    expect(await page.locator('details.row.fail .id').allTextContents()).toContain('LLM-C01');
    await page.locator('#LLM-C01 a[data-event]').first().click();
    expect(await page.locator('.panel .violation').allTextContents()).toContainEqual(
      expect.stringContaining('because the limit cut it'),
    );
    await page.locator('select[data-filter="wire"]').selectOption('testee');
    expect(await page.locator('.event .arrow').count()).toBeGreaterThan(0);
    expect(tried).toEqual([]);
  });
});

describe('the page of the largest suite', () => {
  const file = join(scratch, 'largest.html');

  it('is smaller than 2 MB with all traces, and says what it cuts', async () => {
    const args = ['check', 'llm/client', '--trace', 'all', '--trace-dir', join(scratch, 'largest')];
    const { code } = await wireproof([
      ...args,
      '--report',
      `html=${file}`,
      '--',
      ...reference('testee', 'llm/client'),
    ]);
    expect(code).toBe(0);
    expect(statSync(file).size).toBeLessThan(pageLimit);
    expect(readFileSync(file, 'utf8')).toMatch(/This page is kept small: it shows \d+ of \d+ events/);
  });

  it('draws all of its traces', async (context) => {
    if (browser === undefined) return context.skip(noBrowser);
    const { page, tried } = await openPage(browser, file);
    await openAll(page);
    await page.waitForFunction(
      "[...document.querySelectorAll('.stage')].every((stage) => stage.hasChildNodes())",
    );
    // llm/client has a hundred scenarios, each with a trace of its own.
    expect(await page.locator('.trace').count()).toBeGreaterThan(99);
    expect(tried).toEqual([]);
  });
});
