/** The rules of the live suites on small traces: what they say, and what they let pass. */
import { describe, expect, it } from 'vitest';
import { directive } from '../../../../src/toon/index.ts';
import { Wire } from '../trace.test-helper.ts';

const working = { status: 'working' };
const call = { toolName: 't', args: {} };
const orchestrating = (): Wire => Wire.orchestrator().target('INSTRUCTION', { instruction: 'Go.' });

/** The header of a frame, then a few bytes. */
const header = (version: string, type: string, length: string): string =>
  `${version}${type}${length}${'00'.repeat(12)}`;

describe('frames', () => {
  const broken = (code: string, hex: string): string[] =>
    Wire.subagent().instruct().garbage('target', code, hex).violations();

  it('that are bare JSON have no header, for any first bytes', () => {
    const bare = '7b22737461747573223a2261227d';
    expect(broken('too-large', `${bare}20202020`)).toEqual([expect.stringMatching(/^TOON-01: .*bare JSON$/)]);
  });

  it('with a big-endian length are told from large ones', () => {
    expect(broken('too-large', header('01', '04', '0000002b'))).toEqual([
      'TOON-01: expected payloadLength in little-endian order; came 721420288, which the other way round is 43',
    ]);
    expect(broken('too-large', header('01', '04', '01000002'))).toEqual([]);
  });

  const text = (words: string): string => Buffer.from(words).toString('hex');
  const ofText = 'TOON-38: expected only frames, and nothing between them; the text';
  const status = header('01', '04', '2b000000');

  it('that begin late have bytes before them', () => {
    expect(broken('bad-version', `0a${status}`)).toEqual([`${ofText} "\\n" came before a header`]);
    expect(broken('too-large', text('ok\n') + status)).toEqual([`${ofText} "ok" came before a header`]);
    expect(broken('bad-version', `0000003d${status}`)).toEqual([
      'TOON-38: expected only frames, and nothing between them; 4 bytes came before a header: 00 00 00 3d',
    ]);
    expect(broken('truncated', `00${'ff'.repeat(20)}`)[0]).toContain(
      '21 bytes were left that do not begin a frame',
    );
  });

  it('are told from text, which is quoted', () => {
    expect(broken('too-large', text('toon subagent 1.0 ready\n'))).toEqual([
      `${ofText} "toon subagent 1.0 ready" came`,
    ]);
    expect(broken('too-large', text('\x1b[32mgrün 👍\n'))).toEqual([`${ofText} "\\u001b[32mgrün 👍" came`]);
    expect(broken('too-short', text('bye\n'))).toEqual([`${ofText} "bye" came`]);
    // Letters that no header follows may be a version.
    expect(broken('bad-version', `41420100000000${'00'.repeat(11)}`)).toEqual([
      'TOON-02: expected version 1 in the header; came 65',
    ]);
  });

  it('are told from a line of JSON in a log, unless bare JSON is all that came', () => {
    const line = text('{"level":"info"}\n');
    const quoted = `${ofText} ${JSON.stringify('{"level":"info"}')} came`;
    expect(broken('too-large', line)[0]).toMatch(/^TOON-01: /);
    expect(broken('too-large', line + status)).toEqual([`${quoted} before a header`]);
    const later = Wire.subagent().instruct().target('STATUS', working).garbage('target', 'too-large', line);
    expect(later.violations()).toEqual([quoted]);
  });

  it('that the target cuts off are its fault, unless the kit cut the connection', () => {
    const part = header('01', '04', '2b000000');
    expect(broken('truncated', part)).toEqual([
      'TOON-01: expected 61 bytes, as the header says; the stream ended after 18 of them',
    ]);
    const cut = Wire.subagent().mark({ fault: 'cut' }).garbage('target', 'truncated', part);
    expect(cut.violations()).toEqual([]);
  });

  it('are read to the end for a count of 0', () => {
    const frame = `${header('01', '04', '08000000')}5aff78ffff7800`;
    expect(broken('bad-rle', frame)).toEqual([
      'TOON-22: expected no run of count 0 in a compressed payload; one came',
    ]);
    expect(broken('bad-rle', `${header('01', '04', '06000000')}5aff78ffff`)).toEqual([
      'TOON-19: refused as bad-rle',
    ]);
  });

  it('that lack a field are told from those that hold no object', () => {
    expect(broken('bad-payload', `${header('01', '04', '02000000')}7b7d`)).toEqual([
      'TOON-35: refused as bad-payload',
    ]);
    expect(broken('bad-payload', `${header('01', '04', '02000000')}5b5d`)).toEqual([
      'TOON-13: refused as bad-payload',
    ]);
  });

  it('are judged by the notes of their decoding', () => {
    const noted = (note: string): string[] => {
      const wire = Wire.subagent().instruct().target('STATUS', working, { note });
      return wire
        .completed()
        .violations()
        .map((violation) => violation.slice(0, 7));
    };
    expect(noted('bom: the payload begins with one')).toEqual(['TOON-12']);
    expect(noted('compressed-small: 20 bytes; run-literal: 4 of 4')).toEqual(['TOON-14', 'TOON-19']);
    expect(noted('count-small: a triple of 2')).toEqual([]);
  });

  it('must not share a message of the carrier', () => {
    const wire = Wire.subagent('ws').instruct().target('STATUS', working, { note: 'trailing: 3 bytes' });
    expect(wire.completed().violations()).toEqual([
      'TOON-38: expected one TOON message in a carrier’s message; 3 bytes'.replace('’', "'"),
    ]);
  });
});

describe('sequence ids', () => {
  const ids = (...sent: number[]): string[] => {
    const wire = Wire.subagent().instruct();
    for (const sequenceId of sent) wire.target('STATUS', working, { sequenceId });
    return wire.violations();
  };

  it('rise, with gaps and from anywhere', () => {
    expect(ids(17, 18, 99)).toEqual([]);
    expect(ids(18, 18)).toEqual(['TOON-30: expected a sequenceId after 18; came 18']);
    expect(ids(18, 17)).toEqual(['TOON-30: expected a sequenceId after 18; came 17']);
  });

  it('wrap to 0, which is not falling', () => {
    expect(ids(4_294_967_295, 0, 1)).toEqual([]);
    expect(ids(4_294_967_290, 3)).toEqual([]);
    expect(ids(4_294_967_295, 1)).toEqual(['TOON-31: expected sequenceId 0 after 4294967295; came 1']);
  });
});

describe('a subagent', () => {
  it('works only on an instruction', () => {
    const early = Wire.subagent().target('STATUS', working).violations();
    expect(early).toEqual(['TOON-52: expected nothing before the first INSTRUCTION; STATUS "working" came']);
    const late = Wire.subagent().instruct().completed().target('TOOL_CALL', call).violations();
    expect(late).toEqual([
      'TOON-50: expected no message about an INSTRUCTION that has ended; TOOL_CALL came',
      'TOON-52: expected nothing while no INSTRUCTION is active; TOOL_CALL came',
    ]);
  });

  it("that works on a bad frame violates the frame's requirement only", () => {
    const wire = Wire.subagent().garbage('peer', 'bad-utf8').target('STATUS', working).completed();
    expect(wire.violations().map((violation) => violation.slice(0, 7))).toEqual(['TOON-10', 'TOON-10']);
  });

  it('finds each frame of a write, of which the first needs no answer', () => {
    const after = (size: number): string[] =>
      Wire.subagent().mark({ fault: 'gather', size }).peer('HEARTBEAT').instruct().wait(6000).violations();
    expect(after(2)).toEqual([
      'TOON-38: expected the target to take an INSTRUCTION with another frame in the same write; nothing came for 6001 ms',
    ]);
    expect(after(1)[0]).toMatch(/^TOON-50: /);
  });

  it('may close instead of an ERROR, but not at a frame that it must skip, nor in silence at one over the cap', () => {
    const closed = (code: string): string[] =>
      Wire.subagent().garbage('peer', code).event('target', 'end', { code: 0, message: '' }).violations();
    expect(closed('bad-json')).toEqual([]);
    expect(closed('too-large')).toEqual([
      'TOON-41: expected an ERROR in answer to a payloadLength over the cap, before the end of the stream; none came',
    ]);
    expect(closed('bad-type')).toEqual([
      'TOON-39: expected the target to skip a frame of an unknown type by its length; it ended the stream',
    ]);
  });

  it('may send an ERROR first that crosses the instruction, and work on it all the same', () => {
    const restarted = { code: 'RESTARTED', message: 'the last task was lost' };
    const crossing = Wire.subagent().instruct().target('ERROR', restarted).target('STATUS', working);
    expect(crossing.completed().violations()).toEqual([]);
    const queued = Wire.subagent().instruct().target('ERROR', restarted).instruct().completed().completed();
    expect(queued.violations()).toEqual([]);
    const again = Wire.subagent().instruct().completed().instruct().target('ERROR', restarted);
    expect(again.target('STATUS', working).violations()[0]).toContain('TOON-50: expected no message about');
  });

  it('may end with an ERROR after an unusual frame, when a call of its own has no answer', () => {
    const failed = { code: 'NO_ANSWER', message: 'a tool did not answer' };
    const steps = directive([{ tool: { name: 'quick' } }]);
    const ends = (calls: number): string[] => {
      const wire = Wire.subagent().instruct(steps);
      for (let n = 0; n < calls; n++) wire.target('TOOL_CALL', call);
      wire.peer('TOOL_RESULT', { success: true }, { expandedLength: 3000 });
      return wire.target('ERROR', failed).violations();
    };
    expect(ends(2)).toEqual([]);
    expect(ends(1).map((violation) => violation.slice(0, 7))).toEqual(['TOON-17']);
  });

  it('goes on after its ERROR about a bad frame, unless it may have failed by itself', () => {
    const after = (instruction: string): string[] =>
      Wire.subagent()
        .instruct(instruction)
        .target('STATUS', working)
        .garbage('peer', 'bad-json')
        .target('ERROR', { message: 'no JSON' })
        .wait(20_000)
        .violations()
        .map((violation) => violation.slice(0, 7));
    expect(after(directive([{ say: 'working' }, { wait_ms: 100 }]))).toContain('TOON-54');
    expect(after('Say hello.')).not.toContain('TOON-54');
    expect(after(directive([{ say: 'working' }, { fail: { code: 'NO', message: 'no' } }]))).not.toContain(
      'TOON-54',
    );
  });

  it('must not take a bad result, unless another bad frame may be the reason', () => {
    const taking = (...codes: string[]): string[] => {
      const wire = Wire.subagent()
        .instruct(directive([{ tool: { name: 'quick' } }]))
        .target('TOOL_CALL', call);
      for (const code of codes) wire.garbage('peer', code);
      return wire
        .completed()
        .violations()
        .map((violation) => violation.slice(0, 7));
    };
    expect(taking('bad-payload')).toEqual(['TOON-35']);
    expect(taking('bad-payload', 'bad-json').filter((row) => row !== 'TOON-41')).toEqual([]);
    expect(taking()).toEqual([]);
  });

  it('gives each call its own result', () => {
    const results = (...data: string[]): string[] => {
      const tools = [{ name: 'a' }, { name: 'b' }];
      const wire = Wire.subagent().instruct(directive([{ tools }]));
      for (const { name } of tools) wire.target('TOOL_CALL', { toolName: name, args: {} });
      for (const { name } of tools) wire.peer('TOOL_RESULT', { success: true, data: `ok:${name}` });
      return wire.target('STATUS', { status: 'results', results: data }).completed().violations();
    };
    expect(results('ok:a', 'ok:b')).toEqual([]);
    expect(results('ok:b', 'ok:a')).toEqual([
      'TOON-40: expected each call to have its own result, by requestId or else in the order of the calls: ["ok:a","ok:b"]; came ["ok:b","ok:a"]',
    ]);
  });
});

describe('an orchestrator', () => {
  it('answers a call with a result, and not with an ERROR', () => {
    const wire = orchestrating().peer('TOOL_CALL', call).target('ERROR', { message: 'no such tool' });
    expect(wire.wait(10_000).violations()).toEqual([
      'TOON-48: expected TOOL_RESULT for the TOOL_CALL; only an ERROR came for 10002 ms',
    ]);
  });

  it('may close after its subagent has ended the instruction, even after bad frames', () => {
    const wire = orchestrating().garbage('peer', 'bad-version').target('ERROR', { message: 'version?' });
    wire.peer('STATUS', { status: 'completed' }).event('target', 'end', { code: 0, message: '' });
    expect(wire.violations()).toEqual([]);
  });

  it('sends no more answers than there were calls', () => {
    const wire = orchestrating().peer('TOOL_CALL', call);
    wire.target('TOOL_RESULT', { success: true }).target('TOOL_RESULT', { success: true });
    expect(wire.violations()).toEqual([
      'TOON-53: expected an open TOOL_CALL for each TOOL_RESULT; all had been answered, and one came',
    ]);
  });

  it('repeats the id of a call in its result', () => {
    const wire = orchestrating().peer('TOOL_CALL', { ...call, requestId: 'r1' });
    wire.target('TOOL_RESULT', { success: true, requestId: 'x' });
    expect(wire.violations()).toEqual([
      'TOON-40: expected the result to repeat the requestId "r1" of its call; it has "x"',
    ]);
  });
});

describe('either', () => {
  it('answers a bad frame before it goes on', () => {
    const wire = Wire.subagent().garbage('peer', 'bad-json').instruct().target('STATUS', working).completed();
    expect(wire.violations()).toEqual([
      'TOON-41: expected an ERROR in answer to a payload that is not JSON; none came before STATUS',
    ]);
  });

  it('owes no ERROR for an incomplete frame', () => {
    const wire = Wire.subagent().garbage('peer', 'truncated').wait(20_000);
    expect(wire.violations()).toEqual([]);
  });

  it('closes on silence, in time, if the limit is known', () => {
    const closed = (ms: number, run = {}): string[] =>
      Wire.subagent('tcp', run).wait(ms).event('target', 'end', { code: 0, message: '' }).violations();
    expect(closed(30_000)).toEqual([]);
    expect(closed(50_000).join()).toContain('TOON-51');
    expect(closed(50_000, { timeouts: { idle: 0 } })).toEqual([]);
    expect(Wire.subagent().wait(39_000).violations()).toEqual([]);
    expect(Wire.subagent().wait(41_000).violations().join()).toContain('TOON-51');
  });
});
