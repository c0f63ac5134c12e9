/** Keeps one sample small: past the soft mark only what is required goes on, past the hard one there is no sample. */
export class SampleBudget {
  #values = 0;
  #characters = 0;

  constructor(
    private readonly softValues = 120,
    private readonly hardValues = 20_000,
    private readonly hardCharacters = 500_000,
  ) {}

  /** @returns false when the sample has grown too large to be shown */
  spend(characters = 0): boolean {
    this.#values += 1;
    this.#characters += characters;
    return this.#values <= this.hardValues && this.#characters <= this.hardCharacters;
  }

  get onlyRequired(): boolean {
    return this.#values > this.softValues;
  }

  canHold(characters: number): boolean {
    return this.#characters + characters <= this.hardCharacters;
  }
}
