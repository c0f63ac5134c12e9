/** The first pause before asking again whoever refused; each refusal doubles it. */
const shortestMilliseconds = 1_000;
const longestMilliseconds = 30_000;

/**
 * Listens to server-sent events until it is told to end, also through what an EventSource gives up at: it comes back by
 * itself to a connection that broke, but not after any answer that is no stream, as a proxy's 502 while a portal starts
 * anew, or our 503 while the database does.
 *
 * @returns ends it
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
