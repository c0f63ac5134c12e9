export interface Position {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 code units as in editors. */
  column: number;
}

/** Line and column of offsets in one text; the table of lines is built on first use. */
export class Lines {
  #starts: number[] | undefined;

  constructor(private readonly text: string) {}

  toPosition(offset: number): Position {
    this.#starts ??= this.#findStarts();
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  }

  #findStarts(): number[] {
    const starts = [0];
    for (let at = this.text.indexOf("\n"); at >= 0; at = this.text.indexOf("\n", at + 1)) starts.push(at + 1);
    return starts;
  }
}

/** Pointers requested from one file, as a tree, so that a single pass over the text finds them all. */
export interface RequestedPointer {
  children: Map<string, RequestedPointer>;
  offset: number | undefined;
}

export function requestedPointer(): RequestedPointer {
  return { children: new Map(), offset: undefined };
}
