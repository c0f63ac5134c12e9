import { toKey } from "../plan/known.ts";
import { type OpenScene, openScene, type Scene } from "./scene.ts";
import { type Exploring, type Sighting, sees, Trial } from "./trial.ts";

/** Removes what one needs before the one itself: whatever a server does about it has to be documented. */
export async function exploreNeeded(exploring: Exploring, scene: Scene): Promise<void> {
  const { own, closing } = scene;
  const { session, findings } = exploring;
  const needed = closing.filter(({ operation, test }) => isOther(scene, operation) && test.method === "delete");
  if (!own || needed.length === 0 || session.isOver) return;
  const remove = async (): Promise<Sighting[]> => {
    const open = await openScene(scene, session);
    try {
      return await removeNeeded(exploring, open, needed);
    } finally {
      await open.close();
    }
  };
  const unknown = (await remove()).filter(({ violation, operation }) => !findings.seeAgain(violation, operation));
  const again = unknown.length > 0 ? await remove() : [];
  for (const sighting of unknown) {
    findings.add({ ...sighting, isRepeated: sees(again, sighting.violation) !== undefined });
  }
}

const isOther = ({ own }: Scene, operation: Parameters<typeof toKey>[0]) =>
  own !== undefined && toKey(operation) !== toKey(own.removal.operation);

async function removeNeeded(exploring: Exploring, open: OpenScene, needed: Scene["closing"]): Promise<Sighting[]> {
  const { session, parts } = exploring;
  const trial = new Trial(exploring, open, false);
  for (const step of needed) {
    if (session.isOver) break;
    await trial.send(step);
  }
  const { read } = open.resource?.operations ?? {};
  const draft = read && parts.tests.call(read, { own: open.resource });
  if (draft && !session.isOver) {
    const test = { ...draft.test, assertions: [], checks: ["not_a_server_error" as const] };
    await trial.send({ operation: draft.operation, test });
  }
  return trial.sightings;
}
