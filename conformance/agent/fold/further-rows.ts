/** The rows of other lists that the scenarios of whole agents show, too. */
const numbers: { readonly fold: readonly string[]; readonly llm: readonly string[] } = {
  fold: [
    '01 02 03 04 10 11 13 14 15 16 17 18 23 24 25 26 27 28 29 30',
    '31 32 33 34 40 41 42 43 44 46 47 48',
  ].flatMap((line) => line.split(' ')),
  llm: ['08', '09', '19'],
};

/** The rows. Most are judged by the rules of their own suites. */
export const furtherRows: typeof numbers = {
  fold: numbers.fold.map((number) => `FOLD-A${number}`),
  llm: numbers.llm.map((number) => `LLM-C${number}`),
};

/** The rows that have rules over both wires here: the model's requests and answers show what is asked for. */
export const rowsOverBoth: readonly string[] = ['FOLD-A18', 'FOLD-A42', 'LLM-C09'];
