/** Faults of the two whole agents among the examples: one change in the text of each, and the row that names it. */

/** What is changed in an example, and the row that says so. */
export type Fault = readonly [fault: string, right: string, wrong: string, row: string];

/** Those of whole-agent.mjs. */
export const nodeFaults: readonly Fault[] = [
  [
    'takes no heed of its window',
    'const room = contextWindow -',
    'const room = 100 * contextWindow -',
    'AGENT-13',
  ],
  [
    'runs a call that was cut',
    "answer.stop_reason === 'tool_use' ? calls.filter(isWhole) : []",
    'calls',
    'AGENT-04',
  ],
  [
    'lets the model go on after a cancel',
    'AbortSignal.any([this.stop.signal, silence.signal])',
    'silence.signal',
    'AGENT-02',
  ],
  ['applies DEFERRED at once', "priority !== 'INJECTION_PRIORITY_DEFERRED' ||", 'true ||', 'FOLD-A42'],
  [
    'counts usage twice',
    "const calls = answer.content.filter((block) => block.type === 'tool_use');",
    "this.send({ usage: { input_tokens, output_tokens } });\n    const calls = answer.content.filter((block) => block.type === 'tool_use');",
    'AGENT-11',
  ],
  [
    'leaves a cancelled call without a result',
    "      this.turn.push({ role: 'user', content: results });",
    "      if (this.over) return false;\n      this.turn.push({ role: 'user', content: results });",
    'LLM-C08',
  ],
  [
    'sends texts under the id of the oldest request',
    'this.send({ text: delta });',
    '(running.values().next().value ?? this).send({ text: delta });',
    'FOLD-A18',
  ],
  [
    'runs a gated tool unasked',
    "gated: true, run: async () => 'written'",
    "run: async () => 'written'",
    'FOLD-A32',
  ],
  [
    'takes one approval for all calls',
    'this.approvesAll = decision.approve_all;',
    'this.approvesAll = true;',
    'FOLD-A32',
  ],
  [
    'sends no usage of an answer without calls',
    'this.send({\n      usage:',
    "if (answer.stop_reason === 'tool_use') this.send({\n      usage:",
    'AGENT-11',
  ],
  [
    'takes NORMAL for DEFERRED',
    "priority !== 'INJECTION_PRIORITY_DEFERRED' ||",
    "priority === 'INJECTION_PRIORITY_IMMEDIATE' ||",
    'FOLD-A42',
  ],
  [
    'loses the injections of a request that fails',
    "this.end({ error: error.message || 'the model failed' });",
    "waiting = waiting.filter(({ owner }) => owner !== this.id);\n      this.end({ error: error.message || 'the model failed' });",
    'FOLD-A42',
  ],
  [
    'asks the model again when its answer is cancelled',
    "this.end({ error: error.message || 'the model failed' });",
    `if (this.over) {
        const again = { model: 'wireproof-1', max_tokens: answerTokens, messages: this.turns.flat(), tools: offered };
        return void model.messages.create(again).catch(() => {});
      }
      this.end({ error: error.message || 'the model failed' });`,
    'AGENT-01',
  ],
  [
    'tells the model of a cancelled tool',
    "      this.turn.push({ role: 'user', content: results });",
    `      this.turn.push({ role: 'user', content: results });
      const again = { model: 'wireproof-1', max_tokens: answerTokens, messages: this.turns.flat(), tools: offered };
      if (this.over) model.messages.create(again).catch(() => {});`,
    'AGENT-01',
  ],
  [
    'hangs after a denial',
    'if (!decision?.approved) return',
    'if (!decision?.approved) await new Promise(() => {});\n      if (!decision?.approved) return',
    'FOLD-A33',
  ],
  [
    'tells the model a result of its own',
    'tool_use_id: id, content: output, is_error',
    "tool_use_id: id, content: 'done', is_error",
    'AGENT-61',
  ],
];

/** Those of whole_agent.py. */
export const pythonFaults: readonly Fault[] = [
  [
    'takes no heed of its window',
    'room, attempts, shortened = WINDOW -',
    'room, attempts, shortened = 100 * WINDOW -',
    'AGENT-13',
  ],
  [
    'runs a call that was cut',
    "return [call for call in self.calls.values() if self.finish != 'length' and is_whole(call)]",
    `for call in self.calls.values():
            call['arguments'] = call['arguments'] if is_whole(call) else '{"text": "mended"}'
        return list(self.calls.values())`,
    'AGENT-04',
  ],
  [
    'lets the model go on after a cancel',
    `                text = answer.take(event)
                if text: self.send(text=text)`,
    `                text = answer.take(event)
                if text and not self.ended: self.send(text=text)`,
    'AGENT-02',
  ],
  [
    'applies DEFERRED at once',
    'message.priority != DEFERRED if owner is request else',
    'True if owner is request else',
    'FOLD-A42',
  ],
  [
    'counts usage twice',
    'if answer.usage: self.send(usage=counts(answer.usage))',
    'for _ in range(2): self.send(usage=counts(answer.usage))',
    'AGENT-11',
  ],
  [
    'leaves a cancelled call without a result',
    `        self.turn += results  # each call has one from now on, because the thread may go on after a cancel
        for call, result in zip(calls, results): result['content'] = self.use(call)`,
    `        for call, result in zip(calls, results): result['content'] = self.use(call)
        self.turn += results`,
    'LLM-C08',
  ],
  [
    'sends texts under the id of the oldest request',
    'if text: self.send(text=text)',
    'if text: next(iter(self.agent.running.values()), self).send(text=text)',
    'FOLD-A18',
  ],
  ['runs a gated tool unasked', "'text', 'string', gated=True)", "'text', 'string')", 'FOLD-A32'],
  [
    'takes one approval for all calls',
    'self.approves_all = self.decision.approve_all',
    'self.approves_all = True',
    'FOLD-A32',
  ],
  [
    'sends no usage of an answer without calls',
    'if answer.usage: self.send',
    'if answer.usage and answer.calls: self.send',
    'AGENT-11',
  ],
  [
    'takes NORMAL for DEFERRED',
    'message.priority != DEFERRED if owner is request',
    'message.priority == IMMEDIATE if owner is request',
    'FOLD-A42',
  ],
  [
    'loses the injections of a request that fails',
    '        except Exception as error: self.end(error=str(error) or repr(error))',
    `        except Exception as error:
            self.agent.waiting = [one for one in self.agent.waiting if one[0] is not self]
            self.end(error=str(error) or repr(error))`,
    'FOLD-A42',
  ],
  [
    'asks the model again when its answer is cancelled',
    '        except Stopped: pass\n',
    `        except Stopped:
            again = {'model': MODEL, 'messages': self.conversation.messages(), 'tools': OFFERED, 'max_tokens': ANSWER}
            if self.exchange: list(Exchange().events(again))
`,
    'AGENT-01',
  ],
  [
    'tells the model of a cancelled tool',
    '        except Stopped: pass\n',
    `        except Stopped:
            again = {'model': MODEL, 'messages': self.conversation.messages(), 'tools': OFFERED, 'max_tokens': ANSWER}
            if self.turn[-1]['role'] == 'tool': list(Exchange().events(again))
`,
    'AGENT-01',
  ],
  [
    'hangs after a denial',
    'wait_for(lambda: self.ended or self.decision, 300)',
    'wait_for(lambda: self.ended or self.decision and self.decision.approved, 300)',
    'FOLD-A33',
  ],
  [
    'tells the model a result of its own',
    "result['content'] = self.use(call)",
    "result['content'] = self.use(call) and 'done'",
    'AGENT-61',
  ],
];
