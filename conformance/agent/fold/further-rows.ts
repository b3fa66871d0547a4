/** The rows of other lists that the scenarios of whole agents show, too. The rules are those of their own suites. */
export const furtherRows: { readonly fold: readonly string[]; readonly llm: readonly string[] } = {
  fold: [
    ...[
      '01',
      '02',
      '03',
      '04',
      '10',
      '11',
      '13',
      '14',
      '15',
      '16',
      '17',
      '23',
      '24',
      '25',
      '26',
      '27',
      '28',
      '29',
      '30',
    ],
    ...['31', '33', '34', '40', '41', '42', '43', '44', '46', '47', '48'],
  ].map((number) => `FOLD-A${number}`),
  llm: ['LLM-C08', 'LLM-C19'],
};
