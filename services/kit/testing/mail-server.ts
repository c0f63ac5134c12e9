import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail extends Email {
  /** The envelope's recipients; headers are ignored. */
  recipients: string[];
  /** As received over the wire. */
  raw: string;
}

export interface MailServer {
  /** For MAIL_URL. */
  url: string;
  received: ReceivedMail[];
  /** Addresses that are refused for good from now on. */
  refused: Set<string>;
  /** Waits for the newest mail to an address with a matching subject. */
  newest(address: string, subject?: RegExp): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

/** A real SMTP server on loopback that stores received mail. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, callback) {
      if (!refused.has(address)) return callback();
      callback(Object.assign(new Error("No such mailbox"), { responseCode: 550 }));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks);
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ ...(await PostalMime.parse(raw)), recipients, raw: raw.toString("utf8") });
        callback();
      });
    },
  });
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    refused,
    async newest(address, subject = /./) {
      for (;;) {
        const found = received.findLast(
          (mail) => mail.recipients.includes(address) && subject.test(mail.subject ?? ""),
        );
        if (found) return found;
        await pause(20);
      }
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
