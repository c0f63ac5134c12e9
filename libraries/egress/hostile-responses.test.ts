import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { repetitions } from "../../tests/support/endurance.ts";
import type { Egress, EgressFailure, OutboundResult } from "./egress.ts";
import { requireFailureAfter400, within400 } from "./testing/deadlines.ts";
import { readText, requireFailure, requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, startHttpTarget, startRawTarget, startScriptedTarget } from "./testing/targets.ts";

test("H01: an infinite body is cut at the cap and its socket closed", async () => {
  const chunk = Buffer.alloc(65_536, "x");
  const target = await startHttpTarget((_incoming, outgoing) => {
    const pour = () => {
      while (outgoing.writable && outgoing.write(chunk));
    };
    outgoing.on("drain", pour);
    pour();
  });
  const egress = openEgress();
  for (let index = 0; index < 5; index += 1) {
    const response = requireResponse(await egress.send(request(target.origin)));
    expect([response.truncated, response.bodyBytes, response.body.length]).toEqual([true, 1_048_576, 1_048_576]);
  }
  await expect.poll(() => target.sockets.size).toBe(0);
});

/** Writes `text` byte by byte, forever, each time before an idle timer would fire. */
function drip(socket: Socket, text: string, everyMilliseconds: number): void {
  if (text === "" || socket.destroyed) return;
  socket.write(text.slice(0, 1));
  setTimeout(() => drip(socket, text.slice(1), everyMilliseconds), everyMilliseconds);
}

test("H03: the total deadline applies to silence and dripping, and names the phase", async () => {
  const head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
  const slow: [string, EgressFailure["phase"], (socket: Socket) => void][] = [
    ["silence", "wait", () => {}],
    ["dripping headers", "receive", (socket) => drip(socket, head, 60)],
    [
      "dripping body",
      "receive",
      (socket) => {
        socket.write(head);
        drip(socket, "x".repeat(1_000), 60);
      },
    ],
    ["stall in the body", "receive", (socket) => socket.write(`${head}half`)],
    [
      "endless chunk extension",
      "receive",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=");
        drip(socket, "b".repeat(1_000), 60);
      },
    ],
    ["informational responses only", "receive", (socket) => drip(socket, "HTTP/1.1 102 Processing\r\n\r\n", 20)],
  ];
  for (const [name, phase, respond] of slow) {
    const target = await startRawTarget((socket) => socket.once("data", () => respond(socket)));
    const failure = await requireFailureAfter400(target, () => openEgress().send(request(target.origin, within400)));
    expect([name, failure.code, failure.phase]).toEqual([name, "timeout", phase]);
    await expect.poll(() => target.sockets.size).toBe(0);
  }
});

test("H03: a server that stops reading a large request body reaches the deadline", async () => {
  const target = await startRawTarget((socket) => socket.pause());
  const body = Buffer.alloc(32 * 1_048_576);
  const failure = await requireFailureAfter400(target, () =>
    openEgress().send(request(target.origin, { method: "POST", body, ...within400 })),
  );
  expect(failure.code).toBe("timeout");
});

const malformed: [string, string | Buffer, EgressFailure["code"]][] = [
  ["a status of 000", "HTTP/1.1 000 OK\r\nConnection: close\r\n\r\n", "protocol_error"],
  ["a status of 099", "HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n", "protocol_error"],
  ["headers over 64 KiB", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(70_000)}\r\nContent-Length: 0\r\n\r\n`, "protocol_error"],
  ["10,000 long headers", `HTTP/1.1 200 OK\r\n${"X-Header: value\r\n".repeat(10_000)}\r\n`, "protocol_error"],
  ["NUL in a header", "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n", "protocol_error"],
  ["two Content-Lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "protocol_error"],
  [
    "length and chunks",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "protocol_error",
  ],
  ["negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "protocol_error"],
  ["huge length", `HTTP/1.1 200 OK\r\nContent-Length: ${"9".repeat(40)}\r\n\r\n`, "protocol_error"],
  ["bad chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n", "protocol_error"],
  ["missing chunk end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd", "protocol_error"],
  ["unknown HTTP version", "HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n", "protocol_error"],
  ["no HTTP at all", "SSH-2.0-OpenSSH_9.2\r\n", "protocol_error"],
  ["a TLS alert", Buffer.from([0x15, 3, 3, 0, 2, 2, 40]), "protocol_error"],
  ["no status", "HTTP/1.1 \r\n\r\n", "protocol_error"],
  [
    "unasked-for upgrade",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    "protocol_error",
  ],
  ["unasked-for 100", "HTTP/1.1 100 Continue\r\n\r\n", "protocol_error"],
  ["a flood of 1xx", "HTTP/1.1 102 Processing\r\n\r\n".repeat(1_000), "protocol_error"],
  ["a folded header line", "HTTP/1.1 200 OK\r\nX: a\r\n\0b\r\nContent-Length: 0\r\n\r\n", "protocol_error"],
];

test("H05: each malformed response is a typed failure, and its connection is not reused", async () => {
  for (const [name, bytes, code] of malformed) {
    const target = await startScriptedTarget(bytes);
    const egress = openEgress();
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const failure = requireFailure(await egress.send(request(target.origin)));
      expect([name, failure.code]).toEqual([name, code]);
      expect(failure.detail.length).toBeGreaterThan(20);
      expect([name, target.connections()]).toEqual([name, attempt]);
    }
  }
});

test("H05: 8-bit header values and many short headers are accepted", async () => {
  const bytes = Buffer.from(
    `HTTP/1.1 200 OK\r\nX: \xff\xfe\r\n${"a: b\r\n".repeat(10_000)}Content-Length: 0\r\n\r\n`,
    "latin1",
  );
  const target = await startScriptedTarget(bytes);
  const { headers } = requireResponse(await openEgress().send(request(target.origin)));
  expect(headers[0]).toEqual(["X", "\xff\xfe"]);
  expect(headers).toHaveLength(10_002);
});

test("H07: cookies set by a response are reported, and not sent with later requests or followed redirects", async () => {
  const received: (string | undefined)[] = [];
  const target = await startHttpTarget((incoming, outgoing) => {
    received.push(incoming.headers.cookie);
    const cookies = Array.from({ length: 1_000 }, (_, index) => `c${index}=1; Domain=127.0.0.1; Path=/`);
    outgoing.writeHead(incoming.url === "/first" ? 302 : 200, { "set-cookie": cookies, location: "/second" }).end();
  });
  const egress = openEgress();
  const first = requireResponse(await egress.send({ ...request(`${target.origin}/first`), maxRedirects: 1 }));
  expect(first.headers.filter(([name]) => name.toLowerCase() === "set-cookie")).toHaveLength(1_000);
  requireResponse(await egress.send(request(`${target.origin}/third`)));
  expect(received).toEqual([undefined, undefined, undefined]);
});

test("H05: a connection closed early, by FIN or RST, is a reset in the phase in which it closed", async () => {
  const endings: [string, EgressFailure["phase"], (socket: Socket) => void][] = [
    ["FIN before the response", "wait", (socket) => socket.end()],
    ["RST before the response", "wait", (socket) => socket.resetAndDestroy()],
    ["FIN in the headers", "receive", (socket) => socket.end("HTTP/1.1 200 OK\r\nX: ")],
    ["FIN in the body", "receive", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour")],
    [
      "FIN in a chunk",
      "receive",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nfour"),
    ],
    [
      "RST in the body",
      "receive",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour", () =>
          setTimeout(() => socket.resetAndDestroy(), 20),
        );
      },
    ],
  ];
  for (const [name, phase, end] of endings) {
    const target = await startRawTarget((socket) => socket.once("data", () => end(socket)));
    const failure = requireFailure(await openEgress().send(request(target.origin)));
    expect([name, failure.code, failure.phase]).toEqual([name, "connection_reset", phase]);
  }
});

test("a body delimited by the end of its connection is complete", async () => {
  const target = await startScriptedTarget("HTTP/1.0 200 OK\r\n\r\nold and fine", true);
  expect(readText(requireResponse(await openEgress().send(request(target.origin))))).toBe("old and fine");
});

test("H05: a response sent before the request causes no error", async () => {
  const target = await startRawTarget((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly"));
  const egress = openEgress();
  const results = [];
  for (let index = 0; index < 20; index += 1)
    results.push(await egress.send(request(target.origin, { timeoutMilliseconds: 100 })));
  for (const result of results) expect(["answered", "failed"]).toContain(result.outcome);
});

/** Answers each request with its own path, followed by an unsolicited response. */
async function startPoisoner() {
  const poison = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison";
  return startRawTarget((socket) => {
    socket.on("data", (chunk) => {
      const path = chunk.toString().split(" ")[1]!;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}${poison}`);
    });
  });
}

async function requestInTurn(egress: Egress, origin: string, count: number): Promise<OutboundResult[]> {
  const results: OutboundResult[] = [];
  for (let index = 0; index < count; index += 1) {
    results.push(await egress.send(request(`${origin}/${index}`)));
    if (index % 10 === 0) await sleep(1);
  }
  return results;
}

test("H05: bytes left over from one response are never read as the next: 1,000 requests, 0 mix-ups", async () => {
  const target = await startPoisoner();
  const egress = openEgress();
  const texts = (await requestInTurn(egress, target.origin, 1_000)).map((result) => readText(requireResponse(result)));
  expect(texts).toEqual(Array.from({ length: 1_000 }, (_, index) => `/${index}`));
});

test("H05: concurrent garbage responses cause no mix-up for the valid ones after them", async () => {
  const target = await startRawTarget((socket) => {
    socket.on("data", (chunk) => {
      const path = chunk.toString().split(" ")[1]!;
      const bad = Number(path.slice(1)) % 3 === 0;
      socket.write(
        bad
          ? "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbadbad"
          : `HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`,
      );
    });
  });
  const egress = openEgress();
  const results = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => egress.send(request(`${target.origin}/${index}`))),
  );
  results.forEach((result, index) => {
    expect(readText(requireResponse(result))).toBe(index % 3 === 0 ? "bad" : `/${index}`);
  });
});

const seeds = [
  "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5\r\nhello\r\n0\r\nX: 1\r\n\r\n",
  "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03",
];

/** A well-formed response with up to six bytes replaced, inserted or removed. */
const mutatedResponse = fc
  .tuple(
    fc.constantFrom(...seeds),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom("replace", "insert", "remove"), fc.integer({ min: 0, max: 255 })), {
      maxLength: 6,
    }),
  )
  .map(([seed, changes]) => {
    const bytes = [...Buffer.from(seed, "latin1")];
    for (const [position, change, byte] of changes) {
      const removed = change === "insert" ? 0 : 1;
      bytes.splice(position % bytes.length, removed, ...(change === "remove" ? [] : [byte]));
    }
    return Buffer.from(bytes);
  });

test("H05: every mutated response ends as a response or a typed failure", async () => {
  const responses = fc.sample(mutatedResponse, repetitions(300, 1_500));
  const failures = [...responses];
  const target = await startRawTarget((socket) => {
    socket.once("data", () => socket.end(failures.pop() ?? ""));
  });
  const egress = openEgress();
  const outcomes = new Set<string>();
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      while (failures.length > 0) {
        const result = await egress.send(request(target.origin, { timeoutMilliseconds: 600_000, maxRedirects: 1 }));
        outcomes.add(result.outcome === "answered" ? "answered" : result.failure.code);
      }
    }),
  );
  const typed = [
    "answered",
    "body_encoding_failed",
    "connection_reset",
    "protocol_error",
    "redirect_not_allowed",
    "too_many_redirects",
  ];
  expect([...outcomes].filter((outcome) => !typed.includes(outcome))).toEqual([]);
});
