import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import type { AnyTables, Database, Executor } from "../database/database.ts";
import type { Queue } from "../queue/queue.ts";
import type { Vault } from "../vault/vault.ts";
import { type Email, parseEmail, type RenderedEmail, renderEmail } from "./email.ts";
import { createEmailStore, emailSealingContext, type WaitingEmail } from "./email-table.ts";
import { previousSealingContext, takeOverPreviousEmails } from "./previous-emails.ts";
import { type Delivery, RefusedForGood } from "./smtp.ts";

export interface Mail {
  /** False when mail is not configured: `send` would throw. */
  canSend: boolean;
  /**
   * Sends emails in the transaction that caused them; queue jobs deliver each and retry for an hour and a half.
   * @param organizationId organization that they are deleted with; null: none
   * @throws Problem service_unavailable when this installation can't send email
   */
  send(transaction: Executor<AnyTables>, organizationId: string | null, emails: OutgoingEmail[]): Promise<void>;
  /** Time since which the oldest undelivered email waits; null without any. */
  oldestSince(): Promise<Date | null>;
  stop(): Promise<void>;
}

export interface OutgoingEmail extends Email {
  /** Subject of the email, for `onHandedOver`. */
  reference?: string;
  /** Costs as much as any email but is discarded in the end: its absence would reveal who has an account. */
  isDecoy?: boolean;
}

export interface MailOptions {
  /** The sending service; each has its own queue. */
  service: string;
  database: Database;
  /** Schema of the service, with the table of `createLetterTable`. */
  schema: string;
  queue: Queue;
  /** Emails contain links that open accounts, so they are sealed while waiting. */
  vault: Vault;
  log: Logger;
  /** Undefined when mail is not configured. */
  delivery: Delivery | undefined;
  /** Whether this process delivers emails, or only stores them. */
  work: boolean;
  /** Pause before the first retry; each further pause doubles. Default 5. */
  retryDelaySeconds?: number;
  /** An email with a reference was sent. May be called twice. */
  onHandedOver?(reference: string): Promise<void>;
  /** An email with a reference could not be delivered. Called on every attempt. */
  onFailed?(reference: string, failure: MailFailure): Promise<void>;
}

export interface MailFailure {
  /** The mail server's message, without the address. */
  message: string;
  /** It is not retried. */
  isFinal: boolean;
}

const maxAttempts = 11;
/**
 * An email is given up by its last attempt, together with its row. If that process dies during it, the job is handed
 * out again for this purpose alone, since the queue itself knows nothing of rows.
 */
const maxHandouts = maxAttempts + 10;

/** Queue of one service's emails. */
export const getEmailQueueName = (service: string) => `${service}-letters`;

/** The mail of one service. Emails are queued, so that an unavailable mail server only delays them. */
export async function createMail(options: MailOptions): Promise<Mail> {
  const { service, database, schema, queue, vault, log, delivery, retryDelaySeconds = 5 } = options;
  const name = getEmailQueueName(service);
  const emails = createEmailStore(database.kysely, schema);
  // 5 s doubled ten times: the last retry follows after about an hour and a half.
  await queue.declare(name, { attempts: maxHandouts, retryDelaySeconds });

  async function post(
    transaction: Executor<AnyTables>,
    posted: (Omit<WaitingEmail, "sealed"> & { text: string })[],
  ): Promise<void> {
    const rows = posted.map(({ text, ...row }) => ({ ...row, sealed: vault.seal(text, emailSealingContext(row)) }));
    await emails.insert(transaction, rows);
    await queue.send(
      transaction,
      name,
      rows.map(({ id }) => ({ id, payload: {} })),
    );
  }

  function open(row: WaitingEmail): RenderedEmail {
    try {
      return parseEmail(vault.open(row.sealed, emailSealingContext(row)));
    } catch (cause) {
      throw new Error("The email can't be opened.", { cause });
    }
  }

  async function handOver(id: string, attempt: number): Promise<void> {
    const row = await emails.find(id);
    // It was delivered before, or its organization was deleted.
    if (!row) return;
    const { reference } = row;
    try {
      if (attempt > maxAttempts) throw new Error("The process that tried it last has died.");
      if (!row.is_for_nobody) await delivery!.deliver(id, open(row));
    } catch (error) {
      const isRefused = error instanceof RefusedForGood;
      const isFinal = isRefused || attempt >= maxAttempts;
      if (reference) await options.onFailed?.(reference, { message: (error as Error).message, isFinal });
      // The queue logs the error and retries.
      if (!isFinal) throw error;
      // Neither address nor text: logs are read by more people than the email.
      const outcome = isRefused ? "an email was refused for good" : "an email was given up";
      log.warn({ err: error, letterId: id, service }, outcome);
      await emails.remove(id);
      return;
    }
    if (reference && !row.is_for_nobody) await options.onHandedOver?.(reference);
    await emails.remove(id);
  }

  const works =
    options.work && delivery
      ? [
          queue.work(name, { concurrency: 2, handle: (_, { id, attempt }) => handOver(id, attempt) }),
          takeOverPreviousEmails({ service, queue }, async (id, { sealed, reference, isForNobody }) => {
            const text = vault.open(sealed, previousSealingContext(service, id));
            const row = {
              id,
              organization_id: null,
              reference: reference ?? null,
              is_for_nobody: isForNobody ?? false,
            };
            await database.kysely.transaction().execute((transaction) => post(transaction, [{ ...row, text }]));
          }),
        ]
      : [];

  return {
    canSend: delivery !== undefined,
    async send(transaction, organizationId, posted) {
      if (!delivery) {
        throw new Problem(
          "service_unavailable",
          "This installation can't send email yet. Its operator sets MAIL_URL and MAIL_FROM.",
        );
      }
      if (posted.length === 0) return;
      await post(
        transaction,
        posted.map(({ reference = null, isDecoy = false, ...email }) => ({
          id: uuidv7(),
          organization_id: organizationId,
          reference,
          is_for_nobody: isDecoy,
          text: JSON.stringify(renderEmail(email)),
        })),
      );
    },
    oldestSince: emails.oldestSince,
    async stop() {
      await Promise.all(works.map((work) => work.stop()));
    },
  };
}
