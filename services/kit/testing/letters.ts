import { setTimeout as pause } from "node:timers/promises";
import type { WrittenLetter } from "../mail/letter.ts";
import type { Delivery } from "../mail/smtp.ts";

export interface CollectedLetters extends Delivery {
  letters: (WrittenLetter & { id: string })[];
  /** The newest letter to an address whose subject fits; waits for it. */
  newest(address: string, subject?: RegExp): Promise<WrittenLetter>;
}

/** A delivery that keeps every letter, for tests of what causes one. SMTP itself is tested in `kit/mail`. */
export function collectLetters(): CollectedLetters {
  const letters: CollectedLetters["letters"] = [];
  return {
    letters,
    async deliver(id, letter) {
      letters.push({ id, ...letter });
    },
    async newest(address, subject = /./) {
      for (;;) {
        const found = letters.findLast((letter) => letter.to.address === address && subject.test(letter.subject));
        if (found) return found;
        await pause(20);
      }
    },
    close: async () => {},
  };
}
