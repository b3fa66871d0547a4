/** `wireproof completion`: prints a script that completes verbs, flags, suites, scenarios and requirement ids in a shell. */
import { readFileSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { WireproofError } from '../../src/kit/base/index.ts';
import { reportFormats } from '../../src/kit/report/index.ts';
import { suggestible } from '../words/words.ts';

/** The names that suites have. The build writes them, so that the verb loads no suite. */
interface KnownNames {
  readonly suites: readonly string[];
  readonly testees: readonly string[];
  readonly vectors: readonly string[];
  readonly scenarios: readonly string[];
  readonly requirements: readonly string[];
  /** Values of the flags of a check that suites have, by flag. */
  readonly ofSuites: { readonly [flag: string]: readonly string[] };
  /** Values of flags that depend on the suite or the simulator, by the first two words of the command. */
  readonly byCommand: { readonly [words: string]: { readonly [flag: string]: readonly string[] } };
}

const lists = ['suites', 'requirements', 'scenarios', 'features', 'mutants', 'lawful'];

/** The first operand of a command, by its path. Others take files. */
const operands = (names: KnownNames): { readonly [path: string]: readonly string[] } => ({
  check: names.suites,
  init: names.suites,
  selftest: [...names.suites, ...new Set(names.suites.map((suite) => suite.replace(/\/.*/, '')))],
  list: [...lists, ...names.suites],
  explain: [...suggestible, ...names.requirements],
  testee: names.testees,
  'fixtures generate': names.vectors,
  'fixtures verify': names.vectors,
  completion: ['bash', 'zsh'],
});

/** The values of flags, where the table of commands does not have them. */
const values = (names: KnownNames): { readonly [flag: string]: readonly string[] } => ({
  '--report': reportFormats,
  '--scenario': names.scenarios,
  '--only': names.requirements,
  '--skip': names.requirements,
  ...names.ofSuites,
});

/** Every command below a command, with its path. */
function* commandsIn(command: Command, path = ''): Generator<readonly [path: string, command: Command]> {
  for (const one of command.commands) {
    const name = `${path} ${one.name()}`.trim();
    yield [name, one];
    yield* commandsIn(one, name);
  }
}

const flagsOf = (command: Command): readonly string[] =>
  ['--help', ...command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '')].filter(
    (flag) => flag !== '',
  );

const branch = (pattern: string, words: readonly string[]): string =>
  `    ${pattern}) words="${[...new Set(words)].join(' ')}" ;;`;

/** The branches of values that one suite or simulator has. */
const branchesOf = ({ byCommand }: KnownNames): readonly string[] =>
  Object.entries(byCommand).flatMap(([words, flags]) =>
    Object.entries(flags).map(([flag, all]) => branch(`"${words} ${flag}"`, all)),
  );

/** The flags that have choices in the table of commands. */
const choicesOf = (all: readonly Option[]): readonly (readonly [string, readonly string[]])[] =>
  all.flatMap(({ long, argChoices }) => (long && argChoices ? [[long, argChoices] as const] : []));

/** The function of the script, for bash; zsh runs it by bashcompinit. */
function script(program: Command, names: KnownNames): string {
  const commands = [...commandsIn(program)];
  const ofFlags = new Map([
    ...choicesOf(commands.flatMap(([, command]) => command.options)),
    ...Object.entries(values(names)),
  ]);
  const words = (path: string, command: Command): readonly string[] => [
    ...command.commands.map((one) => one.name()),
    ...(operands(names)[path] ?? []),
  ];
  return `_wireproof() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" flags="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    # After -- stands the command of the target.
    [[ "\${COMP_WORDS[i]}" == -- ]] && return
  done
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${commands
  .map(
    ([path]) =>
      `    "${path}"${path.includes(' ') ? '' : '\\ *'}) ${path.includes(' ') ? '' : '[ "$COMP_CWORD" -gt 1 ] && '}path="${path}" ;;`,
  )
  .toSorted((a, b) => Number(a.includes('\\ *')) - Number(b.includes('\\ *')))
  .join('\n')}
  esac
  case "$prev" in
${[...ofFlags].map(([flag, all]) => branch(flag, all)).join('\n')}
  esac
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]} $prev" in
${branchesOf(names).join('\n')}
  esac
  if [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  case "$path" in
    "") words="${program.commands.map((one) => one.name()).join(' ')} help" flags="--help --version" ;;
${commands.map(([path, command]) => `    "${path}") words="${words(path, command).join(' ')}" flags="${flagsOf(command).join(' ')}" ;;`).join('\n')}
  esac
  [[ "$cur" == -* ]] && words="$flags"
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
`;
}

/** Where the script goes, as a comment. */
const heads: { readonly [shell: string]: string } = {
  bash: '# wireproof in bash. Put this line into ~/.bashrc:  source <(wireproof completion bash)\n',
  zsh: '# wireproof in zsh. Put this line into ~/.zshrc:  source <(wireproof completion zsh)\nautoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n',
};

/** Runs the verb. @throws WireproofError 'usage' for another shell */
export function completion(shell: string, program: Command): void {
  const head = Object.hasOwn(heads, shell) ? heads[shell] : undefined;
  if (head === undefined)
    throw new WireproofError('usage', `completion ${shell}: the shells are ${Object.keys(heads).join(', ')}`);
  const names = JSON.parse(
    readFileSync(new URL('../completion.json', import.meta.url), 'utf8'),
  ) as KnownNames;
  process.stdout.write(`${head}${script(program, names)}complete -o default -F _wireproof wireproof\n`);
}
