import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import type { AnyTables, Executor } from "../database/database.ts";
import { Problem } from "../problem/problem.ts";
import type { Queue } from "../queue/queue.ts";
import type { Vault } from "../vault/vault.ts";
import { type Letter, parseLetter, writeLetter } from "./letter.ts";
import { type Delivery, RefusedForGood } from "./smtp.ts";

export interface Mail {
  /** False where nothing says how mail leaves: `send` would throw. */
  canSend: boolean;
  /**
   * Sends letters in the transaction that caused them; they are delivered by queue jobs, each tried again for an hour
   * and a half.
   * @throws Problem service_unavailable where this installation can't send mail
   */
  send(transaction: Executor<AnyTables>, letters: PostedLetter[]): Promise<void>;
  stop(): Promise<void>;
}

export interface PostedLetter extends Letter {
  /** What the letter is about, for `onHandedOver`. */
  reference?: string;
  /** Costs what any letter costs and is thrown away at the end: where a missing one would tell who has an account. */
  isForNobody?: boolean;
}

export interface MailOptions {
  /** Whose mail it is; each service has a queue of its own. */
  service: string;
  queue: Queue;
  /** Letters hold links that open accounts, so they wait sealed. */
  vault: Vault;
  log: Logger;
  /** Undefined where nothing says how mail leaves. */
  delivery: Delivery | undefined;
  /** Whether this process delivers, or only takes letters in. */
  work: boolean;
  /** Until the second try; each further one waits twice as long. Default 5. */
  retryDelaySeconds?: number;
  /** A letter with a reference is on its way. May be told twice. */
  onHandedOver?(reference: string): Promise<void>;
  /** A letter with a reference could not be handed over. Told at every try. */
  onFailed?(reference: string, failure: MailFailure): Promise<void>;
}

export interface MailFailure {
  /** The mail server's, without the address. */
  words: string;
  /** It is not tried again. */
  isFinal: boolean;
}

const mostTries = 11;

const sealedLetter = z.object({
  sealed: z.string(),
  reference: z.string().optional(),
  isForNobody: z.boolean().optional(),
});

const noOrganization = "00000000-0000-0000-0000-000000000000";

/** The queue of one service's letters. */
export const mailQueueOf = (service: string) => `${service}-mail`;

/** The mail of one service: letters go through the queue, so that a mail server that is away costs nothing but time. */
export async function createMail(options: MailOptions): Promise<Mail> {
  const { service, queue, vault, log, delivery, retryDelaySeconds = 5 } = options;
  const name = mailQueueOf(service);
  // 5 s doubled ten times: the last try comes after about an hour and a half.
  await queue.declare(name, { attempts: mostTries, retryDelaySeconds });
  const placeOf = (id: string) => ({ organizationId: noOrganization, record: `${name}/${id}` });

  const work =
    options.work && delivery
      ? queue.work(name, {
          concurrency: 2,
          async handle(payload, { id, attempt }) {
            const { sealed, reference, isForNobody } = sealedLetter.parse(payload);
            if (isForNobody) return;
            const letter = parseLetter(vault.open(sealed, placeOf(id)));
            try {
              await delivery.deliver(id, letter);
            } catch (error) {
              const isRefused = error instanceof RefusedForGood;
              const failure = { words: (error as Error).message, isFinal: isRefused || attempt >= mostTries };
              if (reference) await options.onFailed?.(reference, failure);
              // The queue logs it and tries again.
              if (!isRefused) throw error;
              // Neither address nor text: a log is read by more people than the letter.
              log.warn({ err: error, letterId: id, service }, "a letter was refused for good");
              return;
            }
            if (reference) await options.onHandedOver?.(reference);
          },
        })
      : undefined;

  return {
    canSend: delivery !== undefined,
    async send(transaction, letters) {
      if (!delivery) {
        throw new Problem(
          "service_unavailable",
          "This installation can't send mail yet. Its operator sets MAIL_URL and MAIL_FROM.",
        );
      }
      const jobs = letters.map(({ reference, isForNobody, ...letter }) => {
        const id = uuidv7();
        const sealed = vault.seal(JSON.stringify(writeLetter(letter)), placeOf(id));
        return { id, payload: { sealed, reference, isForNobody } satisfies z.infer<typeof sealedLetter> };
      });
      await queue.send(transaction, name, jobs);
    },
    stop: async () => await work?.stop(),
  };
}
