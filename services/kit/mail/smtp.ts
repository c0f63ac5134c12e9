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

export interface SmtpOptions {
  /** `smtp://user:password@host:587` (STARTTLS where offered) or `smtps://…:465`; nodemailer's options as query. */
  url: string;
  /** Sender, as in `API Assurance <portal@example.com>`. */
  from: string;
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
        // RFC 5321: 5yz is a permanent refusal.
        const { responseCode = 0, message } = error as { responseCode?: number; message: string };
        if (responseCode >= 500) throw new RefusedForGood(message);
        throw error;
      }
    },
    async close() {
      transport.close();
    },
  };
}
