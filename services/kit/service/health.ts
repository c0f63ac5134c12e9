/** One thing a process depends on. */
export interface Component {
  name: string;
  /** Without it nothing can be done: health is red. The others are told of, and what needs them says so itself. */
  required: boolean;
  /** Throws, or takes too long, while the component is away. */
  check(): Promise<unknown>;
}

export type Standing = "UP" | "DOWN";

export interface Health {
  status: Standing;
  components: Record<string, { status: Standing; required: boolean }>;
}

const patienceMilliseconds = 2_000;
/** Load balancers ask often, and each of many processes is asked. */
const keptMilliseconds = 1_000;

async function standingOf({ check }: Component): Promise<Standing> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), patienceMilliseconds);
  });
  try {
    await Promise.race([check(), tooLate]);
    return "UP";
  } catch {
    return "DOWN";
  } finally {
    clearTimeout(timer);
  }
}

/** Looks at all components at once, at most once a second whoever asks. */
export function createHealth(components: Component[]): () => Promise<Health> {
  let known: Promise<Health> | undefined;
  async function look(): Promise<Health> {
    const standings = await Promise.all(
      components.map(async (component) => [component, await standingOf(component)] as const),
    );
    const isDown = standings.some(([{ required }, status]) => required && status === "DOWN");
    return {
      status: isDown ? "DOWN" : "UP",
      components: Object.fromEntries(standings.map(([{ name, required }, status]) => [name, { status, required }])),
    };
  }
  return () => {
    if (!known) {
      known = look();
      void known.then(() => setTimeout(() => (known = undefined), keptMilliseconds).unref());
    }
    return known;
  };
}
