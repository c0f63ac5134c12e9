import type { Socket } from "node:net";
import { type PeerCertificate, TLSSocket } from "node:tls";

/** What the server's certificate and handshake proved. Times are RFC 3339. */
export interface TlsDetails {
  /** `TLSv1.3` */
  protocol: string;
  cipher: string;
  subject: string;
  issuer: string;
  validFrom: string;
  validTo: string;
  /** Whole days until `validTo`. */
  daysLeft: number;
  /** Always true: a certificate that can't be verified fails the request. */
  authorized: boolean;
  fingerprint256: string;
}

const millisecondsADay = 86_400_000;

/** Details of a socket that has finished its handshake; undefined for plain TCP. */
export function readTlsDetails(socket: Socket | undefined): TlsDetails | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const certificate = socket.getPeerCertificate();
  const validTo = new Date(certificate.valid_to);
  return {
    protocol: socket.getProtocol() ?? "",
    cipher: socket.getCipher()?.name ?? "",
    subject: writeName(certificate.subject),
    issuer: writeName(certificate.issuer),
    validFrom: writeTime(new Date(certificate.valid_from)),
    validTo: writeTime(validTo),
    daysLeft: Math.floor((validTo.getTime() - Date.now()) / millisecondsADay),
    authorized: socket.authorized,
    fingerprint256: certificate.fingerprint256,
  };
}

/** `CN=api.example, O=Example` */
function writeName(name: PeerCertificate["subject"] | undefined): string {
  return Object.entries(name ?? {})
    .flatMap(([attribute, value]) => [value].flat().map((part) => `${attribute}=${part}`))
    .join(", ");
}

function writeTime(time: Date): string {
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
}
