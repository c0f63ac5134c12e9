import { createTransport } from "nodemailer";
import type { RenderedEmail } from "./email.ts";

/** Delivers emails to a mail server. */
export interface Delivery {
  /** @throws RefusedForGood when a retry can't help; any other error is retried */
  deliver(id: string, email: RenderedEmail): Promise<void>;
  close(): Promise<void>;
}

export class RefusedForGood extends Error {
  override readonly name = "RefusedForGood";
}

interface SmtpError {
  message: string;
  /** Commands whose refusal concerns the email. `API`: nodemailer itself found the email unsendable. */
  command?: string;
  responseCode?: number;
}

/** One mailbox, unquoted: nodemailer parses anything else as a list of addresses, in every field. */
const plainAddress = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/;
const anyAddress = /[^\s<>"',;:()[\]]+@[^\s<>"',;:()[\]]+/g;

/**
 * The server's message, without the address that it often repeats and without nodemailer's lists of refused ones:
 * errors are logged. In RFC 5321, 5yz refuses for good; applied only when it concerns this email, since a refused
 * sender or password can be fixed by the operator, and the email can wait for that.
 */
function toDeliveryError({ message, command, responseCode = 0 }: SmtpError): Error {
  const cleaned = message.replace(anyAddress, "<address>");
  const concernsEmail = command === "RCPT TO" || command === "DATA";
  const isForGood = command === "API" || (concernsEmail && responseCode >= 500);
  return isForGood ? new RefusedForGood(cleaned) : new Error(cleaned);
}

export interface SmtpOptions {
  /** `smtp://user:password@host:587` (STARTTLS if offered) or `smtps://…:465`; nodemailer's options as query. */
  url: string;
  /** Sender, such as `API Assurance <portal@example.com>`. */
  from: string;
}

/** Loggable details of a mail server: neither user nor password. */
export interface MailServer {
  /** Host and port. */
  address: string;
  sender: string;
}

export function describeSmtp({ url, from }: SmtpOptions): MailServer {
  const { protocol, hostname, port } = new URL(url);
  return { address: `${hostname}:${port || (protocol === "smtps:" ? 465 : 587)}`, sender: from };
}

/** Delivers over SMTP with a few pooled connections. A stalled server costs at most half a minute. */
export function createSmtpDelivery({ url, from }: SmtpOptions): Delivery {
  const transport = createTransport(
    { url, pool: true, maxConnections: 2, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 },
    { from },
  );
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? "localhost";
  return {
    async deliver(id, { to, replyTo, subject, text, html, unsubscribeHref }) {
      for (const correspondent of replyTo ? [to, replyTo] : [to]) {
        if (!plainAddress.test(correspondent.address))
          throw new RefusedForGood("This is not the address of one mailbox.");
      }
      try {
        await transport.sendMail({
          // The same on every attempt, so that mail clients can recognize an email delivered twice.
          messageId: `<${id}@${domain}>`,
          to: [{ name: to.name ?? "", address: to.address }],
          ...(replyTo ? { replyTo: { name: replyTo.name ?? "", address: replyTo.address } } : {}),
          subject,
          text,
          html,
          headers: {
            "auto-submitted": "auto-generated",
            ...(unsubscribeHref
              ? { "list-unsubscribe": `<${unsubscribeHref}>`, "list-unsubscribe-post": "List-Unsubscribe=One-Click" }
              : {}),
          },
          disableFileAccess: true,
          disableUrlAccess: true,
        });
      } catch (error) {
        throw toDeliveryError(error as SmtpError);
      }
    },
    async close() {
      transport.close();
    },
  };
}
