import { createTransport } from "nodemailer";
import type { WrittenLetter } from "./letter.ts";

/** Hands letters over to whoever carries them. */
export interface Delivery {
  /** @throws RefusedForGood when trying again can't help; anything else is tried again */
  deliver(id: string, letter: WrittenLetter): Promise<void>;
  close(): Promise<void>;
}

export class RefusedForGood extends Error {
  override readonly name = "RefusedForGood";
}

interface SmtpFault {
  message: string;
  /** What the server said no to. `API`: nodemailer itself found the letter unsendable. */
  command?: string;
  responseCode?: number;
}

/** One mailbox, unquoted: nodemailer reads what is more as a list of addresses, wherever it is given. */
const plainAddress = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/;
const anyAddress = /[^\s<>"',;:()[\]]+@[^\s<>"',;:()[\]]+/g;

/**
 * What went wrong in the server's words, without the address that they tend to repeat and without nodemailer's lists of
 * refused ones: errors end up in logs. RFC 5321 has 5yz refuse for good; only where it is about this letter, since a
 * sender or a password that is refused is the operator's to mend, and the letter can wait for that.
 */
function judge({ message, command, responseCode = 0 }: SmtpFault): Error {
  const words = message.replace(anyAddress, "<address>");
  const isAboutLetter = command === "RCPT TO" || command === "DATA";
  const isForGood = command === "API" || (isAboutLetter && responseCode >= 500);
  return isForGood ? new RefusedForGood(words) : new Error(words);
}

export interface SmtpOptions {
  /** `smtp://user:password@host:587` (STARTTLS where offered) or `smtps://…:465`; nodemailer's options as query. */
  url: string;
  /** Sender, as in `API Assurance <portal@example.com>`. */
  from: string;
}

/** What may be told of a mail server: neither user nor password. */
export interface MailServer {
  /** Host and port. */
  address: string;
  sender: string;
}

export function describeSmtp({ url, from }: SmtpOptions): MailServer {
  const { protocol, hostname, port } = new URL(url);
  return { address: `${hostname}:${port || (protocol === "smtps:" ? 465 : 587)}`, sender: from };
}

/** Delivers over SMTP, keeping a few connections. A server that stalls costs at most half a minute. */
export function createSmtpDelivery({ url, from }: SmtpOptions): Delivery {
  const transport = createTransport(
    { url, pool: true, maxConnections: 2, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 },
    { from },
  );
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? "localhost";
  return {
    async deliver(id, { to, replyTo, subject, text, html }) {
      for (const correspondent of replyTo ? [to, replyTo] : [to]) {
        if (!plainAddress.test(correspondent.address))
          throw new RefusedForGood("This is not the address of one mailbox.");
      }
      try {
        await transport.sendMail({
          // The same for every try, so that a letter taken twice shows up once in readers that look at it.
          messageId: `<${id}@${domain}>`,
          to: [{ name: to.name ?? "", address: to.address }],
          ...(replyTo ? { replyTo: { name: replyTo.name ?? "", address: replyTo.address } } : {}),
          subject,
          text,
          html,
          headers: { "auto-submitted": "auto-generated" },
          disableFileAccess: true,
          disableUrlAccess: true,
        });
      } catch (error) {
        throw judge(error as SmtpFault);
      }
    },
    async close() {
      transport.close();
    },
  };
}
