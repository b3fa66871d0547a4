/** Whether the output of a program tells of an error, in the words that programs and their libraries use for it. */

/**
 * Words of an error, by theme. A word may be part of a name, as in `APIConnectionError`, `IncompleteRead` and
 * `stream_closed`. A warning alone is no sign: programs warn of many things.
 */
const signs: readonly RegExp[] = [
  // Something failed.
  /(?:error|exception|failure)s?\b|\b(?:err|fail(?:s|ed|ing)?|traceback|panic(?:ked)?|fatal|problems?|went wrong|invalid|broken?|sorry|oops|unfortunately|apolog\w+)\b/i,
  // A connection or a stream ended.
  /\b(?:abort(?:s|ed|ing)?|clos(?:ed|ing|ure)|terminat(?:ed|ion)|interrupt(?:ed|ion)?|disconnect(?:ed|ion|s)?|reset|drop(?:ped|s)|hang ?up|hung up|cancel(?:s|ed|led)?|eof|end of file|lost|stall(?:s|ed)?|time(?:d )?out|e(?:conn\w+|pipe))\b/i,
  // An answer is not whole.
  /\b(?:incomplete(?:ly)?|unfinished|truncated?|truncation|unexpected(?:ly)?|premature(?:ly)?|partial(?:ly)?|missing|stopped|cut (?:off|short)|(?:broke|breaks) (?:off|down)|(?:end(?:ed|s)?|finish(?:ed)?|stop) (?:early|before|without|too soon)|before (?:it (?:was )?)?(?:complet\w+|finish\w*|the end|message stop|response))\b/i,
  // Something did not come: "no finish_reason", "never finished", "did not complete", "wasn't received".
  /\b(?:no|without(?: an?| its| the)?|never(?: \w+)?) \W?(?:finish\w*|stop|end(?:ed)?|final|terminal|terminator|complet\w+|message|response|respond\w*|answer(?:ed)?|reply|replied|output|content|result|generations?|arriv\w+|receiv\w+|sent|done)\b/i,
  /(?:\b(?:can|could|did|do|does|is|was|has|have|will)(?: not|n['’]t)|\b(?:cannot|can['’]t|won['’]t|unable|not (?:complete|finish|all|whole|receive|available|respond)\w*))\b/i,
  // A reason for the end that is none of the usual ones.
  /\breason\W{1,5}(?:other|unknown)\b/i,
  // The provider is not there.
  /\b(?:overloaded|busy|unavailable|retry(?:ing)?|retries|try again|trying again|(?:status|http|code)\W{0,3}[45]\d\d)\b/i,
  // Signs, and the word for error in other languages.
  /[❌✖✗✘⚠⛔🚫🛑]|\b(?:fehler\w*|erreurs?|errore|errori|erro|erros|fout\w*|hata|błąd|chyba)\b|abgebrochen|unterbrochen|interrompu|interrumpid|ошибк|错误|錯誤|失败|失敗|中断|エラー|오류/iu,
];

/** Members that say that there is no error, as in `"is_error": false`, `error=None` and `0 errors`. */
const denials = [
  /["']?\b\w+["']?\s*[:=]\s*(?:false|null|none|nil|undefined|0|""|''|\[\s*\]|\{\s*\})(?![\w.])/gi,
  /\b(?:no|0|zero|without(?: an| any)?) (?:errors?|exceptions?|failures?|problems?)\b/gi,
];

/** Parts names into words: `IncompleteRead`, `stream_closed`. */
const inWords = (text: string): string => text.replace(/(?<=[a-z])(?=[A-Z])|_/g, ' ');

/** The first word of an error in an output; undefined when it has none. */
export function errorWordIn(output: string): string | undefined {
  const told = inWords(denials.reduce((text, denial) => text.replace(denial, ''), output));
  for (const sign of signs) {
    const found = sign.exec(told)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
