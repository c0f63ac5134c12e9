import { lookup } from "node:dns/promises";
import { connect as connectSocket, type Socket } from "node:net";
import { type SecureContext, connect as startTls, type TLSSocket } from "node:tls";
import { describeNetworkError, describeTlsError, EgressError, errorCode, targetNotAllowed } from "./failure.ts";
import type { ConnectionPhases } from "./phases.ts";
import type { Destination, Gate } from "./policy.ts";

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a host name, in the order to try them. */
export type Resolver = (hostname: string) => Promise<ResolvedAddress[]>;

/** The system resolver, hosts file included. It can't be cancelled; a late result is ignored. */
export const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true, verbatim: true });

export interface ConnectorOptions {
  gate: Gate;
  resolve: Resolver;
}

export interface Opening {
  destination: Destination;
  /** The host as written in certificates: no brackets, no trailing dot. Undefined for plain HTTP. */
  secureContext?: SecureContext;
  phases: ConnectionPhases;
  /** Aborts with an `EgressError` as its reason when the request is abandoned while connecting. */
  signal: AbortSignal;
}

/** Timeout for TCP and TLS together, also when the request's own deadline is later. */
const connectTimeoutMilliseconds = 10_000;
/** Timeout for each of several addresses before the next is tried; the last one may use all the remaining time. */
const attemptTimeoutMilliseconds = 2_000;

/**
 * Opens one connection: resolves once, checks every resolved address, connects to a checked address, checks the peer,
 * then negotiates TLS with the original name. The name is not resolved again during the connection's lifetime.
 * @throws EgressError
 */
export async function openConnection(options: ConnectorOptions, opening: Opening): Promise<Socket> {
  const { destination, phases, signal, secureContext } = opening;
  const addresses = await findAllowedAddresses(options, destination);
  throwWhenGivenUp(signal);
  phases.advance("connect");
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(connectTimedOut(phases.phase)), connectTimeoutMilliseconds);
  const giveUp = () => limit.abort(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    const socket = await connectToFirst(addresses, destination.port, limit.signal);
    if (!options.gate.permits(destination, socket.remoteAddress ?? "")) {
      socket.destroy();
      throw new EgressError(targetNotAllowed());
    }
    if (secureContext === undefined) {
      phases.advance("open");
      return socket;
    }
    phases.advance("tls");
    const secureSocket = await secure(socket, destination, secureContext, limit.signal);
    phases.advance("open");
    return secureSocket;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

/** All addresses of the destination. One blocked address refuses them all: a mixed result is an attack. */
async function findAllowedAddresses(
  { gate, resolve }: ConnectorOptions,
  destination: Destination,
): Promise<ResolvedAddress[]> {
  if (!gate.mayResolve(destination)) throw new EgressError(targetNotAllowed());
  if (destination.literal !== undefined) {
    return [{ address: destination.host, family: destination.literal.version }];
  }
  const addresses = await resolve(destination.host).catch((error: unknown) => {
    throw dnsFailed(destination.host, errorCode(error));
  });
  if (addresses.length === 0) throw dnsFailed(destination.host, "ENODATA");
  if (!addresses.every(({ address }) => gate.permits(destination, address))) {
    throw new EgressError(targetNotAllowed());
  }
  return addresses;
}

async function connectToFirst(addresses: ResolvedAddress[], port: number, signal: AbortSignal): Promise<Socket> {
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    const isLast = index === addresses.length - 1;
    try {
      return await connectTo(address, port, signal, isLast ? undefined : attemptTimeoutMilliseconds);
    } catch (error) {
      throwWhenGivenUp(signal);
      failure = error;
    }
  }
  throw new EgressError({ ...describeNetworkError(failure), phase: "connect" });
}

function connectTo(
  { address, family }: ResolvedAddress,
  port: number,
  signal: AbortSignal,
  timeoutMilliseconds: number | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    throwWhenGivenUp(signal);
    const socket = connectSocket({ host: address, port, family, noDelay: true, autoSelectFamily: false });
    const timer =
      timeoutMilliseconds === undefined
        ? undefined
        : setTimeout(() => socket.destroy(connectTimedOut("connect")), timeoutMilliseconds);
    const giveUp = () => socket.destroy(signal.reason);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    socket.once("connect", () => {
      settle();
      resolve(socket);
    });
    // Stays for the lifetime of the socket: an error before undici adds its own listener must not crash the process.
    socket.on("error", (error) => {
      settle();
      reject(error);
    });
  });
}

function secure(
  socket: Socket,
  destination: Destination,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secureSocket = startTls({
      socket,
      host: destination.host,
      // An IP address is not a valid server name (RFC 6066, section 3); the certificate is then checked against
      // `host`.
      servername: destination.literal === undefined ? destination.host : "",
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ["h2", "http/1.1"],
    });
    const giveUp = () => secureSocket.destroy(signal.reason);
    const settle = () => signal.removeEventListener("abort", giveUp);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    secureSocket.once("secureConnect", () => {
      settle();
      resolve(secureSocket);
    });
    secureSocket.on("error", (error) => {
      settle();
      secureSocket.destroy();
      reject(error instanceof EgressError ? error : new EgressError(describeTlsError(error)));
    });
    secureSocket.once("close", () => {
      settle();
      reject(new EgressError(describeTlsError({ code: "ECONNRESET" })));
    });
  });
}

function throwWhenGivenUp(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason;
}

function connectTimedOut(phase: ConnectionPhases["phase"]): EgressError {
  const seconds = connectTimeoutMilliseconds / 1000;
  return phase === "tls"
    ? new EgressError({ code: "timeout", phase, detail: `The TLS handshake was not finished within ${seconds} s.` })
    : new EgressError({
        code: "timeout",
        phase: "connect",
        detail: `No connection could be made within ${seconds} s.`,
      });
}

function dnsFailed(host: string, code: string): EgressError {
  const detail =
    code === "ENOTFOUND" || code === "ENODATA"
      ? `The host name ${host} does not exist, or has no address.`
      : `The host name ${host} could not be looked up${code === "" ? "" : ` (${code})`}. Try again, or check the name server.`;
  return new EgressError({ code: "dns_failed", detail, phase: "dns" });
}
