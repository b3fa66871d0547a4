import { describe, expect, it } from 'vitest';
import { script } from './builder.ts';
import { runsCommands, sampleOf } from './sample.ts';
import { Stepped, anthropicBody } from '../streamer/streamer.test-helper.ts';

describe('a sample', () => {
  it.each([
    [{ type: 'string' }, expect.any(String)],
    [{ type: ['integer', 'null'] }, 1],
    [{ type: 'boolean' }, true],
    [{ type: 'array', items: { type: 'number' } }, [1]],
    [{ enum: ['b', 'a'] }, 'b'],
    [{ const: null }, null],
    [{ properties: { a: { type: 'object', properties: {} } } }, { a: {} }],
    [true, null],
  ])('of %j is valid for the schema', (schema, value) => {
    expect(sampleOf(schema)).toEqual(value);
  });

  it.each([
    ['file_path', {}],
    ['filePath', {}],
    ['paths', { type: 'array', items: { type: 'string' } }],
    ['workdir', {}],
    ['target', { description: 'The absolute path of the file' }],
    ['where', { description: 'Path to the folder' }],
  ])('of a path (%s) is below the folder for such files', (name, more) => {
    const schema = { type: 'object', properties: { [name]: { type: 'string', ...more } } };
    expect(JSON.stringify(sampleOf(schema))).toContain('"/tmp/wireproof/sample.txt"');
    expect(JSON.stringify(sampleOf(schema, { folder: '/x' }))).toContain('"/x/sample.txt"');
  });

  it.each(['profile', 'content', 'pattern'])('of another text (%s) is no path', (name) => {
    const schema = { type: 'object', properties: { [name]: { type: 'string', description: 'A text' } } };
    expect(JSON.stringify(sampleOf(schema))).not.toContain('/');
  });

  it('of a schema without end, ends', () => {
    let schema: object = { type: 'string' };
    for (let i = 0; i < 1000; i++) schema = { type: 'object', properties: { a: schema } };
    expect(JSON.stringify(sampleOf(schema as never)).length).toBeLessThan(200);
  });
});

describe('a script that calls the tool *', () => {
  const body = {
    ...anthropicBody,
    tools: [
      {
        name: 'send_mail',
        input_schema: { type: 'object', properties: { to: { type: 'string' }, copies: { type: 'integer' } } },
      },
      { name: 'other', input_schema: { type: 'object' } },
    ],
  };

  it('calls the first tool that the request offers', () => {
    const role = new Stepped(script().toolCall('*', {}));
    role.post('/v1/messages', body);
    const { calls } = role.answered() as unknown as { calls: { name: string; arguments: string }[] };
    const [call] = calls;
    expect(call?.name).toBe('send_mail');
    expect(JSON.parse(call?.arguments ?? '')).toEqual({ to: expect.any(String), copies: 1 });
  });

  it('names paths below the folder of the script', () => {
    const tool = {
      name: 'write',
      input_schema: { type: 'object', properties: { file_path: { type: 'string' } } },
    };
    const role = new Stepped(script().toolCall('*', {}, { folder: '/scratch' }));
    role.post('/v1/messages', { ...anthropicBody, tools: [tool] });
    const { calls } = role.answered() as unknown as { calls: { arguments: string }[] };
    expect(calls[0]?.arguments).toBe('{"file_path":"/scratch/sample.txt"}');
  });

  it('is cut in its arguments like any other call', () => {
    const role = new Stepped(script().toolCall('*', {}).cutAt({ char: 12 }));
    role.post('/v1/chat/completions', {
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [
        {
          type: 'function',
          function: { name: 'f', parameters: { properties: { text: { type: 'string' } } } },
        },
      ],
    });
    expect(role.answered()).toMatchObject({
      stop: 'max_tokens',
      calls: [{ name: 'f', arguments: '{"text":"a s', complete: false }],
    });
  });

  it.each([
    ['bash', undefined, true],
    ['run_shell_command', undefined, true],
    ['execCommand', undefined, true],
    ['process', 'Runs a shell command and returns its output.', true],
    ['interpreter', 'Execute Python code.', true],
    ['read_file', 'Reads a file from the workspace.', false],
    ['grunt', undefined, false],
    ['recommend', 'Recommends a book.', false],
  ])('takes %s (%s) for a tool that runs commands: %s', (name, description, runs) => {
    const about = description === undefined ? {} : { description };
    expect(runsCommands({ name, inputSchema: {}, ...about })).toBe(runs);
  });

  it('calls no tool that runs commands', () => {
    const bash = { name: 'bash', input_schema: { type: 'object' } };
    const role = new Stepped(script().toolCall('*', {}).turn().toolCall('*', {}));
    role.post('/v1/messages', { ...body, tools: [bash, ...body.tools] });
    expect(role.answered()?.['calls']).toMatchObject([{ name: 'send_mail' }]);
    role.post('/v1/messages', { ...body, tools: [bash] });
    expect(role.answered()?.['calls']).toMatchObject([{ name: 'none' }]);
  });

  it('calls no tool when none is offered', () => {
    const role = new Stepped(script().toolCall('*', {}));
    role.post('/v1/messages', anthropicBody);
    expect(role.answered()?.['calls']).toMatchObject([{ name: 'none', arguments: '{}' }]);
  });
});
