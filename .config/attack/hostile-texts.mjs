// Texts that act where they are printed raw.
export const hostileTexts = [
  '\n::error file=x::pwned',
  '##vso[task.complete result=Failed;]pwned',
  '\u001b[2J\u001b]0;pwned\u0007',
  '\u202egnp.exe\u2066',
  ']]><script>alert(1)</script><!--',
  '"><img src=x onerror=alert(1)>',
  '| a | b |\n|---|---|\n[x](javascript:alert(1)) @everyone',
  '\ud800 half a pair',
  '\u0000\u0001\u007f\u0085\u2028',
  `n${'a'.repeat(100_000)}`,
];
