/** The first delay before reconnecting after a refusal; each refusal doubles it. */
const shortestMilliseconds = 1_000;
const longestMilliseconds = 30_000;

/**
 * Listens to server-sent events until closed, also beyond the point where an EventSource gives up: that reconnects after
 * a broken connection, but not after a response that is no stream, such as a proxy's 502 while a portal restarts, or our
 * 503 while the database does.
 *
 * @returns closes it
 */
export function followEvents(
  address: string,
  heard: Record<string, (data: string) => void>,
  connect: (address: string) => EventSource = (address) => new EventSource(address),
): () => void {
  let events: EventSource;
  let pause = shortestMilliseconds;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    events = connect(address);
    events.addEventListener("open", () => {
      pause = shortestMilliseconds;
    });
    events.addEventListener("error", () => {
      if (events.readyState !== events.CLOSED) return;
      timer = setTimeout(open, pause);
      pause = Math.min(2 * pause, longestMilliseconds);
    });
    for (const [name, hear] of Object.entries(heard)) events.addEventListener(name, ({ data }) => hear(data));
  };
  open();
  return () => {
    clearTimeout(timer);
    events.close();
  };
}
