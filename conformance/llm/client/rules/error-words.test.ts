/** The words by which programs tell of an error, as they print them. */
import { describe, expect, it } from 'vitest';
import { errorWordIn } from './error-words.ts';

describe('the output of a program', () => {
  it.each([
    'ERROR: stream disconnected before completion: stream closed before response.completed',
    'API Error: Connection closed mid-response. The response above may be incomplete.',
    '{"type":"result","subtype":"success","is_error":true}',
    'APIConnectionError: terminated',
    'Traceback (most recent call last):',
    'terminated',
    'Error: Overloaded',
    'stopped: the answer was cut short',
    '{"error":{"message":"busy"}}',
    'read ECONNRESET',
    'request timed out',
    '3 errors, 0 warnings',
    'errors: 10',
  ])('tells of an error: %s', (output) => expect(errorWordIn(output)).toBeDefined());

  it.each([
    '',
    'It was a dark and',
    'I will see.\ntokens used\n6,754',
    '{"type":"result","subtype":"success","is_error":false,"result":"It was a dark and","permission_denials":[]}',
    '{"error":null,"errors":[],"text":"It was a dark and"}',
    "{'error': None, 'failed': False}",
    'done, 0 errors',
    'finished without errors',
  ])('tells of none: %s', (output) => expect(errorWordIn(output)).toBeUndefined());
});
