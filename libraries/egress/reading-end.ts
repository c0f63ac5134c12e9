import { createItemCounter, findSequence } from "../sequence/sequence.ts";
import type { OutboundRequest } from "./outbound-request.ts";

/** When to stop reading one response: see `OutboundRequest.readUntil`. Begins with the response's head. */
export class ReadingEnd {
  /** Why reading was stopped; undefined as long as it was not. */
  stopped: "items" | "seconds" | undefined;
  /** Where in a chunk of the decoded body its last wanted item ends, -1 before. Absent where items are not counted. */
  readonly findEnd: ((chunk: Uint8Array) => number) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param onTime called when the seconds are over */
  constructor(
    readUntil: NonNullable<OutboundRequest["readUntil"]>,
    contentType: string | undefined,
    onTime: () => void,
  ) {
    if (readUntil.kind === "seconds") {
      this.#timer = setTimeout(() => {
        this.stopped = "seconds";
        onTime();
      }, readUntil.seconds * 1_000);
      return;
    }
    const sequence = findSequence(contentType);
    if (sequence === undefined) return;
    const find = createItemCounter(sequence, readUntil.count);
    this.findEnd = (chunk) => {
      if (this.stopped) return 0;
      const end = find(chunk);
      if (end >= 0) this.stopped = "items";
      return end;
    };
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
