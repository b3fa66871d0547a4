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
    // As libraries print them without the name of their class.
    'IncompleteRead(17 bytes read)',
    'socket hang up',
    'EOF',
    'end of file reached',
    'No generations found in stream.',
    'Stream ended without finish reason',
    '{"type":"stream_interrupted"}',
    '{"event":"streamClosed"}',
    // As AI SDK ends a stream without its terminal, when a program shows the reason.
    '{"type":"finish","finishReason":"other"}',
    // As people write them.
    'sorry: no finish_reason',
    'The model did not finish its answer.',
    "The answer wasn't received in whole.",
    'The server never sent message_stop.',
    'Something went wrong, please try again.',
    'HTTP status 529',
    "I can't go on.",
    '❌ provider',
    'Fehler: Die Verbindung wurde unterbrochen',
    '错误:连接中断',
  ])('tells of an error: %s', (output) => expect(errorWordIn(output)).toBeDefined());

  it.each([
    '',
    'It was a dark and',
    'I will see.\ntokens used\n6,754',
    '{"type":"result","subtype":"success","is_error":false,"result":"It was a dark and","permission_denials":[]}',
    '{"error":null,"errors":[],"text":"It was a dark and"}',
    "{'error': None, 'failed': False}",
    'done, 0 errors',
    'It was a dark and\n\nTotal cost: $0.01. Session saved to /root/.agent/sessions/17.json',
    '{"type":"result","stop_reason":null,"num_turns":1,"usage":{"input_tokens":17,"output_tokens":5}}',
    'It was a dark and\nAssistant finished in 1.5 s (2 requests, 1 tool call). Next steps: see README.md',
    '[DONE]',
    'AI SDK Warning System: To turn off warning logging, set the AI_SDK_LOG_WARNINGS global to false.',
    'AI SDK Warning (anthropic.messages / m): The feature "maxOutputTokens" is used in a compatibility mode. The model "m" is unknown. The max output tokens have been limited to 4096. Set maxOutputTokens explicitly to override this limit.',
    '(node:17) ExperimentalWarning: SQLite is an experimental feature and might change at any time',
    'finished without errors',
  ])('tells of none: %s', (output) => expect(errorWordIn(output)).toBeUndefined());
});
