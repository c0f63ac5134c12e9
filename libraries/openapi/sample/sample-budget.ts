/**
 * Limits the size of one sample: past the soft limit only required members are added, past the hard one there is no
 * sample.
 */
export class SampleBudget {
  #values = 0;
  #characters = 0;

  constructor(
    private readonly softValues = 120,
    private readonly hardValues = 20_000,
    private readonly hardCharacters = 500_000,
  ) {}

  /** @returns false when the sample is too large to display */
  spend(characters = 0): boolean {
    this.#values += 1;
    this.#characters += characters;
    return this.#values <= this.hardValues && this.#characters <= this.hardCharacters;
  }

  get onlyRequired(): boolean {
    return this.#values > this.softValues;
  }

  fits(characters: number): boolean {
    return this.#characters + characters <= this.hardCharacters;
  }
}
