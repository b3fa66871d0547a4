/** Shows the requirements of the chosen verdicts that contain the text of the search. */

/** The rows, and the buttons that choose verdicts. */
export class RequirementFilter {
  readonly #rows: readonly HTMLDetailsElement[];
  readonly #buttons: readonly HTMLButtonElement[];
  #search = '';

  constructor() {
    this.#rows = [...document.querySelectorAll<HTMLDetailsElement>('details.row')];
    this.#buttons = [...document.querySelectorAll<HTMLButtonElement>('button[data-verdict]')];
    for (const button of this.#buttons) {
      button.addEventListener('click', () => {
        button.setAttribute('aria-pressed', String(!isPressed(button)));
        this.apply();
      });
    }
  }

  /** Shows the rows with this text. @returns their number */
  search(text: string): number {
    this.#search = text;
    return this.apply();
  }

  /** Shows a row, whatever is chosen. */
  reveal(row: HTMLElement): void {
    if (row.hidden) {
      this.#search = '';
      for (const button of this.#buttons) button.setAttribute('aria-pressed', 'false');
      this.apply();
    }
    if (row instanceof HTMLDetailsElement) row.open = true;
  }

  /** Hides the other rows. @returns the number of those that are left */
  apply(): number {
    const chosen = this.#buttons.filter(isPressed).map((button) => button.dataset['verdict']);
    let left = 0;
    for (const row of this.#rows) {
      const fits = chosen.length === 0 || chosen.includes(row.dataset['verdict']);
      row.hidden = !fits || !row.textContent.toLowerCase().includes(this.#search);
      if (!row.hidden) left += 1;
    }
    for (const none of document.querySelectorAll<HTMLElement>('.none')) {
      const rows = none.previousElementSibling?.querySelectorAll('details.row:not([hidden])').length ?? 0;
      none.hidden = rows > 0;
    }
    return left;
  }
}

const isPressed = (button: HTMLButtonElement): boolean => button.getAttribute('aria-pressed') === 'true';
