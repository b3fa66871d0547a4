/** Whether the output of a program tells of an error, in the words that programs use for it. */

/** Words of an error. A word may end a longer one, as in `APIConnectionError`. */
const errorWord =
  /(?:error|exception|failure)s?\b|\b(?:fail(?:s|ed|ing)?|traceback|panic(?:ked)?|abort(?:s|ed|ing)?|clos(?:ed|ing)|terminat(?:ed|ion)|interrupt(?:ed|ion)?|incomplete|disconnect(?:ed|ion)?|reset|time(?:d )?out|truncated|unexpected(?:ly)?|premature(?:ly)?|overloaded|unavailable|broken|lost|retry(?:ing)?|retries|could not|couldn't|cannot|can't|unable|invalid|partial(?:ly)?|cut (?:off|short)|stopped|ended (?:early|before)|missing|went wrong|problem|warning|busy|e(?:conn\w+|pipe)|err_\w+)\b/i;

/** Members that say that there is no error, as in `"is_error": false`, `error=None` and `0 errors`. */
const denials = [
  /["']?\b\w+["']?\s*[:=]\s*(?:false|null|none|nil|undefined|0|""|''|\[\s*\]|\{\s*\})(?![\w.])/gi,
  /\b(?:no|0|zero|without(?: an| any)?) (?:errors?|exceptions?|failures?|warnings?|problems?)\b/gi,
];

/** The first word of an error in an output; undefined when it has none. */
export function errorWordIn(output: string): string | undefined {
  const told = denials.reduce((text, denial) => text.replace(denial, ''), output);
  return errorWord.exec(told)?.[0];
}
