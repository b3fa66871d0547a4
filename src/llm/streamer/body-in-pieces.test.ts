/** Answers that are larger than their requests: what one turn sends, room on the carrier, and clients that leave. */
import { describe, expect, it } from 'vitest';
import { script } from '../script/builder.ts';
import { mostTexts } from './faces/embeddings.ts';
import { Stepped } from './streamer.test-helper.ts';

const texts = (count: number): readonly string[] => Array<string>(count).fill('x');

/** The body so far, and whether it is over. */
function bodyOf(stepped: Stepped): { readonly text: string; readonly over: boolean } {
  const sent = stepped.outputs.flatMap((output) => (output.type === 'send' ? [output.message.bytes()] : []));
  const over = stepped.outputs.some(({ type }) => type === 'close');
  return { text: Buffer.concat(sent).toString(), over };
}

describe('a large answer', () => {
  it('is sent in turns, and is the JSON that its client expects', () => {
    const stepped = new Stepped(script().text('x'));
    stepped.post('/v1/embeddings', { model: 'e', input: texts(20) });
    const first = bodyOf(stepped);
    stepped.pass(0);
    const whole = bodyOf(stepped);
    expect([first.over, whole.over]).toEqual([false, true]);
    expect(first.text.length).toBeLessThan(whole.text.length / 5);
    expect(JSON.parse(whole.text)).toMatchObject({
      object: 'list',
      data: texts(20).map((_, index) => ({ object: 'embedding', index })),
      model: 'e',
      usage: { prompt_tokens: 20 },
    });
  });

  it('waits for a client that does not read', () => {
    const stepped = new Stepped(script().text('x'));
    const peer = stepped.post('/api/embed', { model: 'e', input: texts(20) });
    stepped.step({ type: 'full', peer });
    stepped.pass(1000);
    const held = bodyOf(stepped);
    stepped.step({ type: 'drained', peer });
    stepped.pass(0);
    const whole = bodyOf(stepped);
    expect([held.over, whole.over]).toEqual([false, true]);
    const { embeddings } = JSON.parse(whole.text) as { readonly embeddings: readonly unknown[] };
    expect(embeddings).toHaveLength(20);
  });

  it('ends with its client', () => {
    const stepped = new Stepped(script().text('x'));
    const peer = stepped.post('/v1/embeddings', { model: 'e', input: texts(20) });
    stepped.step({ type: 'left', peer });
    const { text } = bodyOf(stepped);
    stepped.pass(1000);
    expect(bodyOf(stepped)).toEqual({ text, over: false });
  });
});

describe('a request for too many numbers', () => {
  const cases = [
    ['/v1/embeddings', { input: texts(mostTexts + 1), dimensions: 1 }, /at most 2048 texts; came 2049/],
    ['/v1/embeddings', { input: texts(mostTexts), dimensions: 3073 }, /at most 6291456 numbers; came 2048/],
    ['/api/embed', { input: texts(mostTexts + 1), dimensions: 1 }, /at most 2048 texts; came 2049/],
  ] as const;

  it.each(cases)('of %s is refused in the form of its dialect', (path, body, expected) => {
    const stepped = new Stepped(script().text('x'));
    stepped.post(path, body);
    const { error } = JSON.parse(bodyOf(stepped).text) as { readonly error: unknown };
    expect(error).toEqual(
      path.startsWith('/api')
        ? expect.stringMatching(expected)
        : {
            message: expect.stringMatching(expected) as unknown,
            type: 'invalid_request_error',
            param: null,
            code: null,
          },
    );
    expect(stepped.outputs).toContainEqual(
      expect.objectContaining({ metadata: expect.objectContaining({ ':status': '400' }) as unknown }),
    );
  });

  it('is not one text of many tokens', () => {
    const stepped = new Stepped(script().text('x'));
    const input = Array.from({ length: 8000 }, (_, i) => i);
    stepped.post('/v1/embeddings', { input, dimensions: 2, encoding_format: 'base64' });
    const { data } = JSON.parse(bodyOf(stepped).text) as { readonly data: readonly unknown[] };
    expect(data).toHaveLength(1);
  });
});
