/** The rows of other lists that the scenarios of whole agents show, too. The rules are those of their own suites. */
export const furtherRows: { readonly fold: readonly string[]; readonly llm: readonly string[] } = {
  fold: [],
  llm: [],
};
