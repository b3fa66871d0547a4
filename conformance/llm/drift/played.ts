/** What the simulated provider plays of the kit's own scripts: orders and members that this revision knows. */
import { seededRandom } from '../../../src/kit/world/index.ts';
import { readScript, readyScripts } from '../../../src/llm/edge/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import { playedAnswers } from '../../../src/llm/played/index.ts';
import type { Traffic } from './traffic.ts';

/** Takes the answers of each script in each dialect into traffic, as streams and as bodies. */
export function takePlayed(traffic: Traffic): void {
  for (const name of readyScripts())
    for (const dialect of dialects) {
      const where = { file: 'the scripts of the kit', exchange: name };
      for (const { units, isWhole, body } of playedAnswers(readScript(name), dialect, seededRandom)) {
        const streamed = traffic.answer(dialect, true, where);
        for (const { data, event } of units) streamed.take(data, event);
        if (isWhole) streamed.end();
        if (body !== undefined) traffic.answer(dialect, false, where).take(body);
      }
    }
}
