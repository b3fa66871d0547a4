/** Bedrock's thoughts that are not shown: `redactedContent`, bytes in base64 (ReasoningContentBlock). */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock } from '../../messages.ts';
import { generationOf, plainContext, plainRequest, text, unitsFor } from '../shared/dialect.test-helper.ts';
import type { Part } from '../shared/dialect.test-helper.ts';
import { frameUnit } from '../shared/frame.ts';
import { bedrock } from './index.ts';

const hidden = (redacted: string): Part => ({ block: { kind: 'thinking', redacted }, pieces: [] });

// The bytes FF FE FD FC are no UTF-8.
test.each([
  ['//79/A==', '//79/A=='],
  ['secret', 'c2VjcmV0'],
])('%s is played as %s, decoded and sent back', (redacted, sent) => {
  const generation = generationOf([hidden(redacted), text('So.')]);
  const units = unitsFor(bedrock, generation);
  expect(units.slice(1, 3)).toEqual([
    {
      event: 'contentBlockDelta',
      data: { contentBlockIndex: 0, delta: { reasoningContent: { redactedContent: sent } } },
    },
    { event: 'contentBlockStop', data: { contentBlockIndex: 0 } },
  ]);
  const decoder = bedrock.decoder();
  for (const unit of units) decoder.push(frameUnit('eventstream', unit, 'lf'));
  const { status, body } = bedrock.whole(generation, plainContext('bedrock', generation));
  expect(body).toMatchObject({
    output: { message: { content: [{ reasoningContent: { redactedContent: sent } }, { text: 'So.' }] } },
  });
  const whole = bedrock.readWhole(status, {}, Buffer.from(JSON.stringify(body)));
  for (const { response } of [decoder.end('clean'), whole])
    expect(response).toMatchObject({ content: 'So.', thinking: [{ text: '', redacted: sent }] });
  expect(writtenBack({ redacted: sent })).toEqual([
    { reasoningContent: { redactedContent: sent } },
    { text: 'So.' },
  ]);
});

function writtenBack({ redacted }: Pick<Extract<GeneratedBlock, { kind: 'thinking' }>, 'redacted'>): unknown {
  const { messages } = plainRequest('bedrock');
  const thinking = [{ text: '', ...(redacted !== undefined && { redacted }) }];
  const said = { role: 'assistant' as const, content: 'So.', thinking };
  const { body } = bedrock.writeRequest({ ...plainRequest('bedrock'), messages: [...messages, said] });
  const written = body['messages'] as readonly JsonObject[];
  return written.at(-1)?.['content'];
}
