/** Which texts are messages, row by row of spec/koda/requirements.yaml. serde with the types of event.rs decides alike. */
import { describe, expect, it } from 'vitest';
import { decodeBytes, decodeText } from '../codec.ts';
import type { DecodeOptions, Fault } from '../codec.ts';
import type { MessageKind } from '../messages.ts';

const serde = { serde: true };

const messageOf = (kind: MessageKind, text: string, options?: DecodeOptions): unknown => {
  const decoded = decodeText(kind, text, options);
  return decoded.ok ? decoded.value.message : decoded.error;
};

/** A blank after the text keeps it from the reader of canonical text: both readers are asked. */
const faultsOf = (kind: MessageKind, text: string, options?: DecodeOptions): readonly unknown[] =>
  [text, `${text} `].map((each) => {
    const decoded = decodeText(kind, each, options);
    return decoded.ok ? 'a message' : decoded.error.fault;
  });

const refused = (kind: MessageKind, fault: Fault, ...texts: readonly string[]): void => {
  for (const text of texts) expect([text, ...faultsOf(kind, text)]).toEqual([text, fault, fault]);
};

const accepted = (kind: MessageKind, ...texts: readonly string[]): void => {
  for (const text of texts) expect([text, ...faultsOf(kind, text)]).toEqual([text, 'a message', 'a message']);
};

/** How serde_json's default float parser decides; conformance/examples/koda.thorough.test.ts asks it. */
const top = {
  // It rounds the first digits up. All but the last two have a double near them.
  refused: [
    '1.7976931348623158e308',
    '1.7976931348623157000e308',
    '179769313486231580000000e285',
    `17976931348623158${'0'.repeat(292)}`,
    '0.0001797693134862315900e312',
    '1e309',
  ],
  // An exact parser finds the last one beyond the doubles.
  accepted: [
    '1.7976931348623157e308',
    `1797693134862315${'0'.repeat(293)}.5`,
    '0.1e309',
    '1.79769313486231599e308',
  ],
};

const call = (args: string): string =>
  `{"type":"tool_call_start","id":"1","name":"Bash","args":${args},"is_sub_agent":false}`;
const argsOf = (args: string): unknown => (messageOf('event', call(args)) as { args: unknown }).args;
const usage = (used: string): string => `{"type":"context_usage","used":${used},"max":1}`;
const footer = (tokens: string): string =>
  `{"type":"footer","prompt_tokens":${tokens},"completion_tokens":0,"cache_read_tokens":0,"thinking_tokens":0,"total_chars":0,"elapsed_ms":0,"rate":0,"context":""}`;
const status = (percentage: string): string =>
  `{"type":"status_update","model":"","provider":"","context_pct":${percentage},"approval_mode":"","active_tools":0}`;
const cap = (value: string): string => `{"type":"loop_cap_reached","cap":${value},"recent_tools":[]}`;
const turnEnd = (reason: string): string => `{"type":"turn_end","turn_id":"t","reason":${reason}}`;
const response = (decision: string): string => `{"type":"approval_response","id":"a","decision":${decision}}`;
const blocked = (preview: string): string =>
  `{"type":"action_blocked","tool_name":"","detail":"","preview":${preview}}`;
const delta = (text: string): string => `{"type":"text_delta","text":"${text}"}`;

describe('the reader of messages', () => {
  it('accepts the tag anywhere (KODA-03)', () => {
    expect(messageOf('event', '{"text":"x","type":"text_delta"}')).toEqual({ type: 'text_delta', text: 'x' });
    expect(
      messageOf('event', '{"turn_id":"t","reason":{"message":"m","kind":"error"},"type":"turn_end"}'),
    ).toEqual({ type: 'turn_end', turn_id: 't', reason: { kind: 'error', message: 'm' } });
    accepted('event', '{"\\u0074ype":"text_don\\u0065"}');
  });

  it('matches tags exactly (KODA-64, KODA-05)', () => {
    refused('event', 'unknown-tag', '{"type":"Text_Done"}', '{"type":"text_done "}', '{"type":"TextDone"}');
    refused('event', 'unknown-tag', '{"type":"constructor"}', '{"type":"__proto__"}', '{"type":"quit"}');
    refused('event', 'unknown-tag', turnEnd('{"kind":"canceled"}'), turnEnd('{"kind":"Complete"}'));
    refused('event', 'unknown-tag', blocked('{"kind":"path_not_found"}'));
    refused(
      'command',
      'unknown-tag',
      '{"type":"loop_decision","action":"continue_50"}',
      response('{"decision":"Approve"}'),
    );
    refused('command', 'unknown-tag', '{"type":"slash_command","cmd":"Compact"}', '{"type":"text_done"}');
  });

  it('needs a tag that is a string', () => {
    refused('event', 'no-tag', '{}', '{"Type":"text_done"}', turnEnd('{}'), blocked('{"recursive":true}'));
    refused('command', 'no-tag', '{"type":"slash_command"}', response('{}'));
    refused('event', 'wrong-type', '{"type":null}', '{"type":["text_done"]}', '{"type":{}}');
    refused('event', 'not-an-object', '"text_done"', 'null', '1', 'true');
  });

  it('ignores unknown fields, also twice (KODA-04, KODA-67)', () => {
    expect(messageOf('event', '{"type":"text_done","x":{"y":[1]},"x":2}')).toEqual({ type: 'text_done' });
    expect(messageOf('event', turnEnd('{"kind":"complete","x":1,"x":2}'))).toEqual({
      type: 'turn_end',
      turn_id: 't',
      reason: { kind: 'complete' },
    });
    accepted('command', '{"type":"quit","cmd":1}', '{"type":"slash_command","cmd":"help","id":1,"id":2}');
    accepted('command', '{"type":"user_prompt","text":"","images":[{"data":"","x":1,"mime_type":"","x":1}]}');
  });

  it('refuses a missing field (KODA-06), but for those with a meaning (KODA-66)', () => {
    refused(
      'event',
      'missing-field',
      '{"type":"text_delta"}',
      '{"type":"turn_end","turn_id":"t"}',
      turnEnd('{"kind":"error"}'),
    );
    refused(
      'event',
      'missing-field',
      '{"type":"tool_call_start","id":"1","name":"Bash","is_sub_agent":false}',
    );
    refused('event', 'missing-field', '{"type":"ask_user_request","id":"","question":""}');
    const prompt = decodeText('command', '{"type":"user_prompt","text":"x"}');
    expect(prompt).toEqual({
      ok: true,
      value: { message: { type: 'user_prompt', text: 'x', images: [] }, omitted: ['images'] },
    });
    expect(decodeText('command', '{"type":"slash_command","cmd":"memory"}')).toEqual({
      ok: true,
      value: { message: { type: 'slash_command', cmd: 'memory', action: null }, omitted: ['action'] },
    });
    const request = '{"type":"approval_request","id":"","tool_name":"","detail":""';
    expect(messageOf('event', `${request}}`)).toEqual(messageOf('event', `${request},"preview":null}`));
  });

  it('refuses null for a list (KODA-07) and for any other field', () => {
    refused('command', 'null-field', '{"type":"user_prompt","text":"","images":null}');
    refused('event', 'null-field', '{"type":"ask_user_request","id":"","question":"","options":null}');
    refused('event', 'null-field', '{"type":"text_delta","text":null}', usage('null'), turnEnd('null'));
    refused('event', 'null-float', status('null'));
  });

  it('refuses a known field or a tag that stands twice (KODA-08)', () => {
    refused(
      'event',
      'duplicate-field',
      '{"type":"text_delta","text":"a","text":"a"}',
      '{"type":"text_done","type":"text_done"}',
    );
    refused('event', 'duplicate-field', '{"type":"text_delta","text":"a","te\\u0078t":"a"}');
    refused(
      'event',
      'duplicate-field',
      turnEnd('{"kind":"complete","kind":"complete"}'),
      turnEnd('{"kind":"error","message":"","message":""}'),
    );
    refused('command', 'duplicate-field', '{"type":"slash_command","cmd":"help","cmd":"help"}');
    refused(
      'command',
      'duplicate-field',
      '{"type":"user_prompt","text":"","images":[{"data":"","data":"","mime_type":""}]}',
    );
  });

  it('takes integers in their range alone (KODA-09)', () => {
    refused('event', 'not-an-integer', usage('1.0'), usage('1e2'), usage('-0'), footer('0.5'), cap('-0'));
    refused('event', 'wrong-type', usage('"1"'), usage('true'), usage('[1]'));
    refused('event', 'out-of-range', usage('-1'), usage('18446744073709551616'), cap('4294967296'));
    refused('event', 'out-of-range', footer('9223372036854775808'), footer('-9223372036854775809'));
    refused('event', 'out-of-range', usage(`1${'0'.repeat(300)}`));
    accepted(
      'event',
      usage('0'),
      usage('18446744073709551615'),
      cap('4294967295'),
      footer('-9223372036854775808'),
    );
  });

  it('keeps all digits of integers (KODA-10)', () => {
    expect(messageOf('event', usage('9007199254740991'))).toMatchObject({ used: 9007199254740991 });
    expect(messageOf('event', usage('9007199254740993'))).toMatchObject({ used: '9007199254740993' });
    expect(messageOf('event', footer('-9223372036854775808'))).toMatchObject({
      prompt_tokens: '-9223372036854775808',
    });
    const exact = '{"a":[18446744073709551615,-9223372036854775808],"b":1.5}';
    expect(decodeText('event', call(exact))).toMatchObject({ value: { argsText: exact } });
    expect(decodeText('event', call(` {"a": -0,"b":9007199254740993,"b":1.50} `))).toMatchObject({
      value: { argsText: '{"a":-0.0,"b":1.5}' },
    });
    expect(
      decodeText('event', call('{"a":18446744073709551616,"b":9007199254740992,"c":1.0}')),
    ).not.toHaveProperty('value.argsText');
  });

  it('takes a float that is spelled as an integer (KODA-11), and does not check its range (KODA-22)', () => {
    expect(messageOf('event', status('1'))).toMatchObject({ context_pct: 1 });
    expect(messageOf('event', status('-1E+2'))).toMatchObject({ context_pct: -100 });
    expect(messageOf('event', status('18446744073709551616'))).toMatchObject({ context_pct: 2 ** 64 });
    expect(messageOf('event', status('1e-400'))).toMatchObject({ context_pct: 0 });
    accepted('command', '{"type":"user_prompt","text":"","images":[{"data":"no Base64!","mime_type":""}]}');
  });

  it('takes any JSON for args (KODA-14), the last of two members with one name (KODA-67)', () => {
    for (const args of ['null', '0', '"x"', '[]', '{}', 'true', '[{"a":[null]}]']) {
      expect(argsOf(args)).toEqual(JSON.parse(args));
      expect(argsOf(` ${args}`)).toEqual(JSON.parse(args));
    }
    expect(argsOf('{"a":1,"b":2,"a":{"c":3,"c":4}}')).toEqual({ a: { c: 4 }, b: 2 });
  });

  it('keeps every member of args (KODA-15)', () => {
    const args = argsOf('{"__proto__":{"x":1},"constructor":2,"":3,"10":4,"2":5}') as object;
    expect(Object.getOwnPropertyNames(args).sort()).toEqual(['', '10', '2', '__proto__', 'constructor']);
    expect(JSON.stringify(args)).toContain('"__proto__":{"x":1}');
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
  });

  it('refuses text that is not strict JSON (KODA-16), also in a field that it ignores', () => {
    for (const text of [
      '\\ud800',
      '\\udc00',
      '\\ud800\\u0041',
      '\\ud800x',
      '\\udc00\\ud800',
      '\ud800',
      '\ud800\\udc00',
    ])
      refused(
        'event',
        'lone-surrogate',
        delta(text),
        `{"type":"text_done","x":"${text}"}`,
        call(`{"${text}":1}`),
      );
    for (const text of ['\n', '\t', '\0', '\x1f'])
      refused('event', 'control-character', delta(text), call(`["${text}"]`));
    for (const number of ['1e400', '-1e309', '1e99999999999', '1'.repeat(310)])
      refused(
        'event',
        'number-too-large',
        status(number),
        call(number),
        `{"type":"text_done","x":[${number}]}`,
      );
    for (const number of top.refused)
      refused('event', 'number-too-large', status(number), status(`-${number}`), call(`[${number}]`));
    for (const number of top.accepted)
      accepted('event', status(number), status(`-${number}`), call(`[{"a":${number}}]`));
    refused('event', 'byte-order-mark', '\ufeff{"type":"text_done"}');
    refused('event', 'trailing-comma', '{"type":"text_done",}', call('[1,]'), call('{"a":1 , }'));
    accepted('event', delta('\\ud834\\udd1e'), delta('𝄞'), delta('\x7f\u2028'), status('0e99999999999'));
  });

  it.each([
    [
      '',
      '   ',
      '{',
      '{"type"',
      '{"type":',
      '{"type":"text_done"',
      '{"type":"text_done}',
      '{"type":"text_done"}}',
    ],
    ['{"type":"text_done"} x', '{"type":"text_done"},', "{'type':'text_done'}", '{type:"text_done"}'],
    ['{"type":"text_done",,"a":1}', '{,"type":"text_done"}', '{"type" "text_done"}', '{"type":"text_done";}'],
    ['{"type":"text_done"]', call('[1}'), call('[1 2]'), call('{"a"}'), call('{1:2}'), call('')],
    [
      call('01'),
      call('1.'),
      call('.5'),
      call('1e'),
      call('1e+'),
      call('+1'),
      call('-'),
      call('0x1'),
      call('NaN'),
    ],
    [call('nul'), call('True'), call('"\\x"'), call('"\\u12g4"'), call('"\\u12'), call('"\\'), call('-01')],
    [
      '\u00a0{"type":"text_done"}',
      '\v{"type":"text_done"}',
      '{"type":"text_done"}\0',
      '/**/{"type":"text_done"}',
    ],
  ])('refuses broken JSON: %s …', (...texts) => refused('event', 'syntax', ...texts));

  it('finds the end of a text delta, the most frequent event', () => {
    refused(
      'event',
      'syntax',
      '{"type":"text_delta","text":"}',
      '{"type":"text_delta","text":"a\\"}',
      delta('a"b'),
    );
    refused('event', 'syntax', delta('\\'), delta('a","x":'), '{"type":"text_delta","text":""}}');
    expect(messageOf('event', delta(''))).toEqual({ type: 'text_delta', text: '' });
    expect(messageOf('event', delta('a\\"b\\\\'))).toEqual({ type: 'text_delta', text: 'a"b\\' });
    expect(messageOf('event', delta('a","x":"b'))).toEqual({ type: 'text_delta', text: 'a' });
    refused('event', 'duplicate-field', delta('a","text":"b'));
  });

  it('knows the four blanks of JSON', () => {
    expect(messageOf('event', ' \t\r\n{ \n"type"\t:\r"text_delta" , "text" :"x" } \n')).toEqual({
      type: 'text_delta',
      text: 'x',
    });
  });

  it('refuses bytes that are not UTF-8, and a byte order mark in bytes (KODA-16)', () => {
    const bytes = (...parts: readonly (string | number)[]): Uint8Array =>
      Buffer.concat(parts.map((p) => (typeof p === 'string' ? Buffer.from(p) : Buffer.of(p))));
    const faultOf = (b: Uint8Array): unknown => {
      const decoded = decodeBytes('event', b);
      return decoded.ok ? 'a message' : decoded.error;
    };
    expect(faultOf(bytes('{"type":"text_done"}'))).toBe('a message');
    expect(faultOf(bytes('{"type":"text_done","x":"é𝄞"}'))).toBe('a message');
    for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80]])
      expect(faultOf(bytes('{"type":"text_done","x":"', ...bad, '"}'))).toMatchObject({
        code: 'bad-json',
        fault: 'bad-utf8',
      });
    expect(faultOf(bytes(0xef, 0xbb, 0xbf, '{"type":"text_done"}'))).toMatchObject({
      fault: 'byte-order-mark',
    });
  });

  it('accepts 127 nested containers, the message included, and refuses 128 (KODA-17)', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (levels: number): string =>
        `${open.repeat(levels)}${open === '[' ? '' : '0'}${close.repeat(levels)}`;
      accepted('event', call(nested(126)), `{"type":"text_done","x":${nested(126)}}`);
      refused('event', 'too-deep', call(nested(127)), `{"type":"text_done","x":${nested(127)}}`);
    }
  });

  it('refuses a bare string for a reason, a decision or a preview (KODA-18)', () => {
    refused('event', 'bare-string', turnEnd('"complete"'), blocked('"PathNotFound"'));
    refused('command', 'bare-string', response('"approve"'));
    refused('event', 'wrong-type', turnEnd('1'), blocked('true'), blocked('0'));
  });

  it('refuses an array for an object and a number for a tag, and takes them as serde does (KODA-20, KODA-69)', () => {
    const positional: readonly (readonly [MessageKind, string, unknown])[] = [
      ['event', '["text_delta","a"]', { type: 'text_delta', text: 'a' }],
      ['event', '["text_done"]', { type: 'text_done' }],
      [
        'event',
        turnEnd('["error","m"]'),
        { type: 'turn_end', turn_id: 't', reason: { kind: 'error', message: 'm' } },
      ],
      ['command', '["user_prompt","x"]', { type: 'user_prompt', text: 'x', images: [] }],
      ['command', '["slash_command","memory",null]', { type: 'slash_command', cmd: 'memory', action: null }],
      [
        'command',
        '{"type":"user_prompt","text":"x","images":[["d","m"]]}',
        { type: 'user_prompt', text: 'x', images: [{ data: 'd', mime_type: 'm' }] },
      ],
    ];
    for (const [kind, text, message] of positional) {
      refused(kind, 'positional', text);
      expect(messageOf(kind, text, serde)).toEqual(message);
    }
    refused('event', 'numeric-tag', '{"type":0}', turnEnd('{"kind":0}'), blocked('{"kind":6}'));
    refused('command', 'numeric-tag', response('{"decision":0}'), '{"type":"loop_decision","action":0}');
    expect(messageOf('command', response('{"decision":1}'), serde)).toMatchObject({
      decision: { decision: 'reject' },
    });
    expect(messageOf('command', '{"type":"slash_command","cmd":7}', serde)).toMatchObject({ cmd: 'memory' });
  });

  it('refuses as serde does, where serde is free otherwise', () => {
    const texts: readonly (readonly [MessageKind, string])[] = [
      ['event', '[0,"a"]'],
      ['event', '{"type":0,"text":"a"}'],
      ['event', '["text_done",1]'],
      ['event', '[]'],
      ['event', '["text_delta"]'],
      ['event', '["approval_request","a","b","c"]'],
      ['event', turnEnd('{"kind":3}')],
      ['event', turnEnd('{"kind":-0}')],
      ['event', turnEnd('{"kind":0.0}')],
      ['event', turnEnd('0')],
      ['command', '["slash_command","memory"]'],
      ['command', '["slash_command",["compact"]]'],
      ['command', '{"type":"loop_decision","action":0}'],
      ['command', '{"type":"loop_decision","action":["stop"]}'],
      ['command', '{"type":"loop_decision","action":{"stop":[]}}'],
      ['command', '{"type":"loop_decision","action":{"stop":null,"stop":null}}'],
      ['command', '{"type":"loop_decision","action":{}}'],
    ];
    for (const [kind, text] of texts) expect([text, decodeText(kind, text, serde).ok]).toEqual([text, false]);
  });

  it('refuses an object for the action of a loop decision, and takes it as serde does (KODA-19)', () => {
    for (const action of ['{"stop":null}', '{"stop":{}}', '{"sto\\u0070":null}']) {
      refused('command', 'object-action', `{"type":"loop_decision","action":${action}}`);
      expect(messageOf('command', `{"type":"loop_decision","action":${action}}`, serde)).toMatchObject({
        action: 'stop',
      });
    }
  });

  it('refuses the nested forms of slash commands (KODA-21)', () => {
    const forms = [
      '{"type":"slash_command","slash_command":{"cmd":"help"}}',
      '{"type":"slash_command","memory":{"action":null}}',
      '{"type":"slash_command","cmd":{"memory":{"action":null}}}',
      '{"type":"slash_command","cmd":{"cmd":"help"}}',
    ];
    refused('command', 'nested-slash', ...forms);
    for (const form of forms) expect(decodeText('command', form, serde).ok).toBe(false);
  });

  it('gives a fault its code, its path, and a sentence', () => {
    const edit = (index: string): string =>
      blocked(
        `{"kind":"Edit","path":"p","replacements":[{"index":${index},"total":1,"start_line":1,"old_lines":[],"new_lines":[]}],"truncated_count":0}`,
      );
    accepted('event', edit('0'));
    expect(messageOf('event', edit('"0"'))).toEqual({
      code: 'bad-type',
      fault: 'wrong-type',
      path: 'preview.replacements[0].index',
      message:
        'expected an integer from 0 to 2^64 - 1 for preview.replacements[0].index; came "0" (wrong-type)',
    });
    expect(messageOf('event', '{"type":"text_delta"}')).toMatchObject({
      code: 'missing-field',
      path: 'text',
      message: 'text is missing',
    });
    expect(messageOf('event', '{"type":"text_done"')).toMatchObject({ code: 'bad-json', path: '@19' });
    const codes = {
      '{"type":"x"}': 'bad-tag',
      '{}': 'missing-field',
      '{"type":"info","message":1}': 'bad-type',
    };
    for (const [text, code] of Object.entries(codes))
      expect(messageOf('event', text)).toMatchObject({ code });
    expect(messageOf('event', usage('-1'))).toMatchObject({ code: 'out-of-range', path: 'used' });
    expect(messageOf('event', '{"type":"text_done","type":1}')).toMatchObject({ code: 'duplicate-field' });
    expect(messageOf('event', '['.repeat(200))).toMatchObject({ code: 'too-deep' });
  });
});
